import { EVENT_CATALOGUE } from '../../src/domain/webhooks/eventCatalogue.js';
import type { CatalogueEntry } from '../../src/domain/webhooks/eventCatalogue.js';
import type { Components } from './Components.js';
import type { JsonSchema } from './scalarSchema.js';

const HEADERS: Readonly<Record<string, [string, string]>> = {
  'webhook-id': ['Constant over retries and redeliveries.', 'whd_01kafem1xve7vbs97sn4r71brf'],
  'webhook-timestamp': ['Unix seconds of this attempt.', '1795159380'],
  'webhook-signature': [
    '`v1,` and base64 HMAC-SHA256 over `id.timestamp.body`; two after a rotation, separated by a space.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ],
  'webhook-sequence': [
    'The number of the message at this endpoint, in the order of the changes; recovered ones have later numbers.',
    '42',
  ],
};

/**
 * Describes the messages to registered endpoints: the `webhooks` of OpenAPI 3.1, from the event catalogue.
 */
export function describeWebhooks(components: Components): Record<string, JsonSchema> {
  const parameters = Object.entries(HEADERS).map(([name, [description, example]]) => ({
    name,
    in: 'header',
    required: true,
    description,
    schema: { type: 'string' },
    example,
  }));
  return Object.fromEntries(
    EVENT_CATALOGUE.map((entry) => [entry.type, { post: operationOf(entry, parameters, components) }]),
  );
}

function operationOf(
  { type, description, schema }: CatalogueEntry,
  parameters: JsonSchema[],
  components: Components,
): JsonSchema {
  const name = `${type.replace(/(?:^|[._])([a-z])/g, (_match, letter: string) => letter.toUpperCase())}Webhook`;
  return {
    operationId: `receive${name}`,
    tags: ['Webhooks'],
    summary: `Receive ${type}`,
    description,
    security: [],
    parameters,
    requestBody: {
      required: true,
      description: 'Ids and states, never values of a profile.',
      content: {
        'application/json': { schema: components.refer(name, withoutIdentity({ ...schema, description })) },
      },
    },
    responses: {
      '2XX': { description: 'Received. Anything else is tried again, for three days.' },
      '410': { description: 'The receiver is gone: the endpoint is disabled.' },
    },
  };
}

/** Removes the schema's identity, as the document names the components. */
function withoutIdentity({ $schema: _schema, $id: _id, title: _title, ...schema }: JsonSchema): JsonSchema {
  return schema;
}
