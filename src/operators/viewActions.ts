import { DAY_MS } from '../domain/timestamp.js';
import { OPERATOR_LOG_COLUMNS } from '../../entities/OperatorLogEntity.js';
import type { JsonObject } from '../domain/jsonValue.js';
import { validationFailed } from '../errors.js';
import type { OperatorAction, OperatorScope } from './OperatorAction.js';
import { PAGE_PARAMETERS, readPage } from './readPage.js';
import { foundApp } from './readGiven.js';

const APP = { name: 'app', says: 'the id of an app', required: true };

const MEMBERS = {
  name: 'operator_members',
  text: `SELECT m.account_id, a.email, m.scopes, m.created_at, m.updated_at
           FROM app_members m JOIN accounts a ON a.account_id = m.account_id
          WHERE m.app_id = $1 AND ($2::text IS NULL OR m.account_id > $2) ORDER BY m.account_id LIMIT $3`,
};

const QUEUES = {
  name: 'operator_queues',
  text: `SELECT queue, count(*)::integer AS waiting, count(*) FILTER (WHERE attempts > 0)::integer AS stuck,
                min(ready_at) AS oldest_ready_at,
                greatest(extract(epoch FROM $1::timestamptz - min(ready_at)), 0)::double precision
                  AS oldest_seconds
           FROM work_queue WHERE ($2::text IS NULL OR app_id = $2) GROUP BY queue ORDER BY queue`,
};

/** The usage of an app, from existing counts. */
const USED = {
  name: 'operator_used',
  text: `SELECT (SELECT status FROM apps WHERE app_id = $1) AS status,
                (SELECT count(*)::integer FROM webhook_endpoints WHERE app_id = $1) AS webhook_endpoints,
                (SELECT count(*)::integer FROM app_members WHERE app_id = $1) AS members,
                (SELECT count(*)::integer FROM work_queue WHERE app_id = $1) AS work_waiting,
                (SELECT coalesce(sum(length(result)), 0)::bigint FROM idempotency_keys
                  WHERE app_id = $1 AND created_at >= $2) AS replay_bytes`,
};

const COUNTED = {
  name: 'operator_counted',
  text: `SELECT measure, coalesce(sum(amount) FILTER (WHERE hour >= $2), 0)::bigint AS day,
    sum(amount)::bigint AS total
           FROM (SELECT measure, hour, amount FROM tallies WHERE app_id = $1 AND measure = ANY ($3)
                 UNION ALL
                 SELECT measure, changed_at, amount FROM tally_changes WHERE app_id = $1
                   AND measure = ANY ($3)) t
          GROUP BY measure`,
};

async function quotas({ database, clock, limits }: OperatorScope, app: string): Promise<JsonObject> {
  const since = new Date(clock().getTime() - DAY_MS);
  const [used] = await database.readAs<Record<string, number | string>>(app, USED, [app, since]);
  const { status, ...counts } = used ?? {};
  foundApp(status ?? undefined, app);
  const measures = ['customers', 'request', 'claim_accepted', 'event_accepted'];
  const rows = await database.readAs<{ measure: string; day: number; total: number }>(app, COUNTED, [
    app,
    since,
    measures,
  ]);
  const sumOf = (measure: string, which: 'day' | 'total'): number =>
    Number(rows.find((row) => row.measure === measure)?.[which] ?? 0);
  const { rateLimits, appConcurrency, replayStorageMb } = limits;
  return {
    app_id: app,
    limits: {
      points_per_minute: rateLimits === 'off' ? null : { ...rateLimits },
      requests_at_once_per_process: appConcurrency,
      replay_megabytes_per_day: replayStorageMb,
    },
    used: {
      customers: sumOf('customers', 'total'),
      requests_last_day: sumOf('request', 'day'),
      claims_last_day: sumOf('claim_accepted', 'day'),
      events_last_day: sumOf('event_accepted', 'day'),
      ...Object.fromEntries(Object.entries(counts).map(([name, value]) => [name, Number(value)])),
    },
  };
}

const LOG = {
  name: 'operator_log_list',
  text: `SELECT ${OPERATOR_LOG_COLUMNS} FROM operator_log
          WHERE ($1::text IS NULL OR operator = $1) AND ($2::text IS NULL OR request_id = $2)
            AND ($3::timestamptz IS NULL OR at >= $3) AND ($4::text IS NULL OR entry_id < $4)
          ORDER BY entry_id DESC LIMIT $5`,
};

function timeOf(text: string | undefined): Date | null {
  if (text === undefined) return null;
  const time = new Date(text);
  if (!Number.isNaN(time.getTime())) return time;
  throw validationFailed([
    { code: 'invalid_format', message: 'must be a time such as 2026-01-31T00:00:00Z', field: 'since' },
  ]);
}

/** Actions that only read. */
export const viewActions: readonly OperatorAction[] = [
  {
    words: 'members list',
    summary: 'Lists the members of an app and what they may do.',
    method: 'GET',
    path: '/apps/:app/members',
    argument: 'app',
    parameters: [APP, ...PAGE_PARAMETERS],
    run: ({ database }, given) =>
      readPage(given, 'account_id', (...window) => database.read(MEMBERS, [given['app'], ...window])),
  },
  {
    words: 'queues list',
    summary: 'Shows what waits in each queue, of one app or of all.',
    method: 'GET',
    path: '/queues',
    parameters: [{ name: 'app', says: 'only what waits for this app' }],
    async run({ database, clock }, { app }) {
      const rows = await database.read(QUEUES, [clock(), app ?? null]);
      return { data: rows as JsonObject[], next: null };
    },
  },
  {
    words: 'quotas show',
    summary: 'Shows the limits of an app and what it has used of them.',
    method: 'GET',
    path: '/apps/:app/quotas',
    argument: 'app',
    parameters: [APP],
    run: (scope, { app = '' }) => quotas(scope, app),
  },
  {
    words: 'log list',
    summary: 'Shows what operators did, the latest first.',
    method: 'GET',
    path: '/log',
    parameters: [
      { name: 'operator', says: 'only of key:<fingerprint> or user:<login>@<host>' },
      { name: 'request', says: 'only of this request id' },
      { name: 'since', says: 'only from this time on' },
      ...PAGE_PARAMETERS,
    ],
    run({ database }, given) {
      const { operator = null, request = null, since } = given;
      const asked = [operator, request, timeOf(since)];
      return readPage(given, 'entry_id', (...window) => database.read(LOG, [...asked, ...window]));
    },
  },
];
