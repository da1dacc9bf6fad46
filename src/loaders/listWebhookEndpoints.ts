import type { Connection } from '../../schema/connection.js';
import type { WebhookEndpoint } from '../../schema/types/Webhook.js';
import { ENDPOINT_COLUMNS, toEndpoint } from '../../entities/WebhookEndpointEntity.js';
import type { EndpointViewRow } from '../../entities/WebhookEndpointEntity.js';
import { countUpTo } from './countUpTo.js';
import type { ReadScope } from './ReadScope.js';
import { PageWindow } from './page.js';
import type { PageRequest } from './page.js';

const BY_ID = {
  name: 'webhook_endpoint_by_id',
  text: `SELECT ${ENDPOINT_COLUMNS} FROM webhook_endpoints WHERE app_id = $1 AND endpoint_id = $2`,
};

const LIST = {
  name: 'webhook_endpoints_list',
  text: `SELECT ${ENDPOINT_COLUMNS} FROM webhook_endpoints
         WHERE app_id = $1 AND ($2::text IS NULL OR endpoint_id < $2) ORDER BY endpoint_id DESC LIMIT $3`,
};

const ALL = { name: 'webhook_endpoints', text: 'SELECT FROM webhook_endpoints WHERE app_id = $1' };

export async function loadWebhookEndpoint(
  { services, appId }: ReadScope,
  id: string,
): Promise<WebhookEndpoint | undefined> {
  const [row] = await services.database.readAs<EndpointViewRow>(appId, BY_ID, [appId, id]);
  return row === undefined ? undefined : toEndpoint(row);
}

/** The app's endpoints, newest first. */
export async function listWebhookEndpoints(
  { services, appId }: ReadScope,
  request: PageRequest,
): Promise<Connection<WebhookEndpoint>> {
  const scope = { appId, list: 'webhook_endpoints' };
  const page = new PageWindow(services.secrets, scope, request);
  const rows = await services.database.readAs<EndpointViewRow>(appId, LIST, [appId, page.after, page.limit]);
  const read = (row: EndpointViewRow) => ({ position: row.endpoint_id, node: toEndpoint(row) });
  return page.toPage(rows, read, countUpTo({ services, appId }, ALL, [appId]));
}
