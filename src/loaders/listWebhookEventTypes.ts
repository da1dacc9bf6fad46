import type { Connection } from '../../schema/connection.js';
import type { WebhookEventType } from '../../schema/types/Webhook.js';
import { EVENT_CATALOGUE } from '../domain/webhooks/eventCatalogue.js';
import type { ReadScope } from './ReadScope.js';
import { PageWindow } from './page.js';
import type { PageRequest } from './page.js';

/** The event catalogue, in its own order. */
export function listWebhookEventTypes(
  { services, appId }: ReadScope,
  request: PageRequest,
): Connection<WebhookEventType> {
  const scope = { appId, list: 'webhook_event_types' };
  const page = new PageWindow(services.secrets, scope, request);
  const rest = EVENT_CATALOGUE.map(({ type, description, schema }, place) => ({
    place,
    node: { type, description, schema: { ...schema } },
  })).slice(page.after === null ? 0 : Number(page.after) + 1);
  const read = ({ place, node }: (typeof rest)[number]) => ({
    position: place,
    node: node as WebhookEventType,
  });
  return page.toPage(rest, read, () => Promise.resolve(EVENT_CATALOGUE.length));
}
