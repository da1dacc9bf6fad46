import { EVENT_CATALOGUE } from '../../src/domain/webhooks/eventCatalogue.js';
import type { JsonSchema } from './scalarSchema.js';

const HEADERS = {
  'webhook-id': 'Constant over retries and redeliveries.',
  'webhook-timestamp': 'Unix seconds of this attempt.',
  'webhook-signature':
    '`v1,` and base64 HMAC-SHA256 over `id.timestamp.body`; two after a rotation, separated by a space.',
  'webhook-sequence': 'The number of the message at this endpoint, in the order of the changes.',
};

/** What the service sends to registered endpoints: the `webhooks` of OpenAPI 3.1, from the event catalogue. */
export function describeWebhooks(): Record<string, JsonSchema> {
  const parameters = Object.entries(HEADERS).map(([name, description]) => ({
    name,
    in: 'header',
    required: true,
    description,
    schema: { type: 'string' },
  }));
  return Object.fromEntries(
    EVENT_CATALOGUE.map(({ type, description, schema }) => {
      const requestBody = { required: true, content: { 'application/json': { schema: { ...schema } } } };
      const responses = { '2XX': { description: 'Received. Anything else is tried again.' } };
      return [type, { post: { summary: description, security: [], parameters, requestBody, responses } }];
    }),
  );
}
