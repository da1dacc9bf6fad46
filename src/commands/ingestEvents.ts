import type { IngestEventInput, IngestEventsInput } from '../../schema/inputs/EventInput.js';
import type { IngestEventPayload, IngestEventsPayload } from '../../schema/types/Event.js';
import type { Transaction } from '../database/Transaction.js';
import { payloadHash } from '../domain/idempotency.js';
import { acceptItems } from './acceptItems.js';
import type { InboxItem } from './acceptItems.js';
import { acceptBatch } from './acceptBatch.js';
import type { CommandContext } from './CommandContext.js';
import { refusalError } from './ingestClaims.js';
import { lockHeadsOf } from './customerHead.js';
import type { GroupedOperation } from './runGrouped.js';

/**
 * Accepts single events. They are durable and ordered when the transaction commits, and processed soon after.
 */
export const INGEST_EVENT: GroupedOperation<IngestEventInput, IngestEventPayload> = {
  name: 'event',
  subjectOf: ({ customerId }) => customerId,
  lock: lockHeadsOf,
  runAll: async (tx, context, inputs, heads) => {
    const outcomes = await acceptItems(tx, context, 'event', inputs.map(toItem), heads);
    return outcomes.map((outcome, at) => {
      if (!outcome.accepted) return refusalError(outcome, inputs[at] as IngestEventInput);
      const { id, status, sequence, acceptedAt } = outcome;
      return { eventId: id, status, sequence, acceptedAt, statusUrl: `/v1/events/${id}` };
    });
  },
};

/** Accepts up to 500 events, each on its own. */
export async function ingestEvents(
  tx: Transaction,
  context: CommandContext,
  input: IngestEventsInput,
): Promise<IngestEventsPayload> {
  return acceptBatch(tx, context, 'event', input.events, toItem, ({ id, sequence, status }) => ({
    eventId: id,
    sequence,
    status,
  }));
}

function toItem(input: IngestEventInput): InboxItem {
  const { customerId, consentPurpose: purpose, eventKey, object } = input;
  const payload = payloadOf(input);
  const dedupe = eventKey ? { dedupe: { key: eventKey, hash: payloadHash(purpose, payload) } } : {};
  return { customerId, purpose, payload, object, ...dedupe };
}

type Payload = Omit<IngestEventInput, 'customerId' | 'consentPurpose'>;

/** Null and absent mean the same. */
function payloadOf(event: Payload): object {
  const { eventType, object, occurredAt, intentCategory, properties, source, confidence, eventKey } = event;
  return {
    eventType,
    object,
    occurredAt,
    intentCategory: intentCategory ?? undefined,
    properties: properties ?? undefined,
    source: source ?? undefined,
    confidence: confidence ?? undefined,
    eventKey: eventKey ?? undefined,
  } satisfies Record<keyof Payload, unknown>;
}
