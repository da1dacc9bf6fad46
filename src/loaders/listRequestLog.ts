import type { Connection } from '../../schema/connection.js';
import type { RequestLogEntry } from '../../schema/types/RequestLog.js';
import { countUpTo } from './countUpTo.js';
import type { ReadScope } from './ReadScope.js';
import { PageWindow } from './page.js';
import type { PageRequest } from './page.js';

/** The filter of the log; without conditions, everything. */
export interface RequestLogFilter {
  requestId: string | null;
  status: number | null;
  /** Answered with a status of 400 or more, or with a GraphQL error. */
  failed: boolean | null;
}

const LIST = {
  name: 'request_log_list',
  text: `SELECT entry_id::text AS id, request_id AS "requestId", received_at AS "receivedAt", method, route,
                operation, status, code, duration_us / 1000::double precision AS "durationMs"
           FROM request_log
          WHERE app_id = $1 AND ($2::bigint IS NULL OR entry_id < $2)
            AND ($4::text IS NULL OR request_id = $4)
            AND ($5::integer IS NULL OR status = $5) AND ($6::boolean IS NULL OR (code IS NOT NULL) = $6)
          ORDER BY entry_id DESC LIMIT $3`,
};

const ALL = {
  name: 'request_log',
  text: `SELECT FROM request_log WHERE app_id = $1 AND ($2::text IS NULL OR request_id = $2)
            AND ($3::integer IS NULL OR status = $3) AND ($4::boolean IS NULL OR (code IS NOT NULL) = $4)`,
};

/** The app's requests, newest first. */
export async function listRequestLog(
  { services, appId }: ReadScope,
  { requestId, status, failed }: RequestLogFilter,
  request: PageRequest,
): Promise<Connection<RequestLogEntry>> {
  const scope = { appId, list: 'request_log', filter: JSON.stringify([requestId, status, failed]) };
  const page = new PageWindow(services.secrets, scope, request);
  const values = [appId, page.after, page.limit, requestId, status, failed];
  const rows = await services.database.readAs<RequestLogEntry>(appId, LIST, values);
  const read = (row: RequestLogEntry) => ({ position: Number(row.id), node: row });
  const count = countUpTo({ services, appId }, ALL, [appId, requestId, status, failed]);
  return page.toPage(rows, read, count);
}
