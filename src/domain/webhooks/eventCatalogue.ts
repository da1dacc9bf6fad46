import { PURPOSES } from '../purposes.js';
import type { Purpose } from '../purposes.js';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** A published event type: its name, when it is sent, and the JSON Schema (2020-12) of the whole body. */
export interface CatalogueEntry {
  type: WebhookEventType;
  description: string;
  schema: JsonSchema;
  /** The members of `data`. */
  data: Readonly<Record<string, JsonSchema>>;
}

/** Subscribes to every type, including those of later versions. */
export const EVERY_TYPE = '*';

declare const MEANT: unique symbol;

/** A schema with the TypeScript type of what it describes. */
type Describing<T> = JsonSchema & { readonly [MEANT]?: T };

function describing<T>(schema: JsonSchema): Describing<T> {
  return schema;
}

const text = describing<string>;
const id = text({ type: 'string', minLength: 1, maxLength: 128 });
const time = text({ type: 'string', format: 'date-time' });
const name = text({ type: 'string', minLength: 1 });
const purpose = describing<Purpose>({ type: 'string', enum: [...PURPOSES] });
const purposes = describing<readonly Purpose[]>({
  type: 'array',
  items: purpose,
  minItems: 1,
  uniqueItems: true,
});

interface DataShape {
  description: string;
  properties: Readonly<Record<string, JsonSchema>>;
  optional?: Readonly<Record<string, JsonSchema>>;
}

type DataOf<S extends DataShape> = Described<S['properties']> &
  (S extends { optional: infer O } ? Partial<Described<O>> : unknown);
type Described<P> = { [K in keyof P]: P[K] extends Describing<infer T> ? T : never };

/** A session as it is now. `approved_purposes`: what the person approved and did not withdraw. */
function session(status: string, description: string) {
  return {
    description,
    properties: { session_id: id, customer_id: id, status: text({ const: status }) },
    optional: {
      approved_purposes: describing<readonly Purpose[]>({ ...purposes, minItems: 0 }),
      consent_receipt_id: id,
    },
  };
}

const checksum = text({ type: 'string', pattern: '^sha256:[0-9a-f]{64}$' });
const entry = { entry_id: id, ontology: id, checksum };
const workflow = { workflow_id: id, workflow_type: name };

/** Ids and states, never profile values (docs/contract.md#webhooks). */
const SHAPES = {
  'consent.granted': {
    description:
      'A consent receipt granted purposes. Not sent for purposes that were closed since; `purposes` lists those still open.',
    properties: { receipt_id: id, customer_id: id, purposes, granted_at: time },
  },
  'consent.revoked': {
    description:
      'Purposes of a consent receipt were revoked. From this moment nothing of them is served or processed.',
    properties: { receipt_id: id, customer_id: id, purposes, revoked_at: time, workflow_id: id },
  },
  'connection_session.authorized': session(
    'authorized',
    'The end user approved a connection session. Sent again, with what is left, when a purpose was taken back.',
  ),
  'connection_session.completed': session(
    'completed',
    'A consent receipt was recorded for a connection session.',
  ),
  'connection_session.expired': session('expired', 'A connection session ran out before it was completed.'),
  'connection_session.revoked': session(
    'revoked',
    'A connection session was declined or canceled, or its last approval was taken back.',
  ),
  'profile.updated': {
    description:
      'Facts of a customer changed. Read the profile for their values; `purposes` lists those whose facts changed.',
    properties: { customer_id: id, purposes, updated_at: time },
  },
  'intent.updated': {
    description: 'An intent of a customer appeared or changed.',
    properties: {
      intent_id: id,
      customer_id: id,
      category: name,
      consent_purpose: purpose,
      updated_at: time,
    },
  },
  'entry.created': { description: 'A catalog entry was created.', properties: entry },
  'entry.updated': { description: 'A catalog entry was changed.', properties: entry },
  'event.rejected': {
    description:
      'An accepted event was rejected before it was processed, for instance because consent was withdrawn.',
    properties: { event_id: id, customer_id: id, consent_purpose: purpose, error_code: name },
  },
  'workflow.completed': {
    description: 'A workflow completed. Not sent of `webhook_delivery` workflows.',
    properties: { ...workflow, status: describing<'completed'>({ const: 'completed' }) },
  },
  'workflow.failed': {
    description: 'A workflow failed. Not sent of `webhook_delivery` workflows.',
    properties: { ...workflow, status: describing<'failed'>({ const: 'failed' }), error_code: name },
  },
  'webhook.test': {
    description: 'Sent on request to one endpoint, whatever types it has enabled.',
    properties: { endpoint_id: id },
  },
} satisfies Record<string, DataShape>;

export type WebhookEventType = keyof typeof SHAPES;

/** The data of each event type, by the public names of the webhook body. */
export type WebhookData = { [T in WebhookEventType]: DataOf<(typeof SHAPES)[T]> };

/** The names of all event types, in the order of the catalogue. */
export const EVENT_TYPES = Object.keys(SHAPES) as WebhookEventType[];

export const EVENT_CATALOGUE: readonly CatalogueEntry[] = EVENT_TYPES.map((type) => ({
  type,
  description: SHAPES[type].description,
  schema: bodySchema(type, SHAPES[type]),
  data: SHAPES[type].properties,
}));

/** Whether a name is allowed in `enabled_events`. */
export function isSubscribable(text: string): boolean {
  return text === EVERY_TYPE || Object.hasOwn(SHAPES, text);
}

/** The data with the list of purposes reduced to open ones; data without that list stays unchanged. */
export function narrowedTo(
  data: Readonly<Record<string, unknown>>,
  list: 'purposes' | 'approved_purposes',
  open: readonly string[],
): Record<string, unknown> {
  const listed = data[list];
  if (!Array.isArray(listed)) return { ...data };
  return { ...data, [list]: listed.filter((purpose) => open.includes(String(purpose))) };
}

// Additional fields are allowed: receivers must accept unknown fields (docs/contract.md#versioning: /v1 only
// grows).
function bodySchema(type: string, { description, properties, optional }: DataShape): JsonSchema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: type,
    description,
    type: 'object',
    required: ['type', 'timestamp', 'data'],
    properties: {
      type: { const: type },
      timestamp: time,
      data: { type: 'object', required: Object.keys(properties), properties: { ...properties, ...optional } },
    },
  };
}
