import type { CustomerHead } from '../commands/customerHead.js';
import { epochAt } from '../access/consentGate.js';
import { purposeAt } from '../domain/purposes.js';
import { announceAll } from '../database/outbox.js';
import { textArray } from '../database/textArray.js';
import type { Transaction } from '../database/Transaction.js';
import { groupBy } from '../domain/groupBy.js';
import { newId } from '../domain/ids.js';
import type { IntentCategory } from '../domain/intents/IntentRules.js';
import { intentsOf, MAX_INTENT_EVIDENCE } from '../domain/intents/intentsOf.js';
import type { Intent, IntentEvent } from '../domain/intents/intentsOf.js';
import type { Services } from '../Services.js';
import type { TouchedObject } from './applyInbox.js';

/** The newest events of one purpose and object, from which intents are computed. Bounds the work. */
const MAX_EVENTS = 200;

interface EventRow extends Record<string, unknown> {
  customer_id: string;
  purpose: number;
  object: string;
  event_id: string;
  sequence: number;
  event_type: string;
  category: IntentCategory | null;
  overridden: boolean;
  source: string;
  confidence: number;
  occurred_at: string;
}

interface StoredIntent extends Record<string, unknown> {
  customer_id: string;
  intent_id: string;
  purpose: number;
  category: string;
}

interface ChangedIntent extends Intent {
  head: CustomerHead;
  purpose: number;
  epoch: number;
  object: string;
}

/**
 * Computes the intents of the touched objects again from their live events. The caller holds the customers'
 * heads.
 */
export async function updateIntents(
  tx: Transaction,
  services: Services,
  touched: Iterable<TouchedObject>,
): Promise<void> {
  const objects = [...touched];
  if (objects.length === 0) return;
  const rows = await eventsOf(tx, objects);
  const byObject = groupBy(rows, ({ customer_id, purpose, object }) => `${customer_id}/${purpose}/${object}`);
  const now = services.clock();
  const changed = objects.flatMap(({ head, purpose, object, events }) => {
    const found = (byObject.get(`${head.customer_id}/${purpose}/${object}`) ?? []).map(toEvent);
    const intents = intentsOf(found, services.intents, now);
    const news = intents.filter((intent) => intent.events.some(({ id }) => events.has(id)));
    return news.map((intent) => ({ ...intent, head, purpose, object, epoch: epochAt(head, purpose) }));
  });
  if (changed.length > 0) await store(tx, changed, now);
}

function eventsOf(tx: Transaction, objects: readonly TouchedObject[]): Promise<EventRow[]> {
  return tx.queryInOrder<EventRow>(
    `SELECT asked.customer_id, asked.purpose, asked.object, e.*
       FROM unnest($2::text[], $3::smallint[], $4::integer[], $5::text[]) AS asked (customer_id, purpose,
         epoch, object)
     CROSS JOIN LATERAL (
       SELECT event_id, sequence, event_type, category, payload ? 'intentCategory' AS overridden,
              payload ->> 'source' AS source,
              (payload ->> 'confidence')::double precision AS confidence, occurred_at
         FROM events e
        WHERE e.app_id = $1 AND e.customer_id = asked.customer_id AND e.purpose = asked.purpose
          AND e.object = asked.object
          AND e.epoch = asked.epoch AND e.status = 'processed'
        ORDER BY e.occurred_at DESC, e.sequence DESC LIMIT ${MAX_EVENTS}) e`,
    [
      tx.appId,
      objects.map(({ head }) => head.customer_id),
      objects.map(({ purpose }) => purpose),
      objects.map(({ head, purpose }) => epochAt(head, purpose)),
      objects.map(({ object }) => object),
    ],
  );
}

function toEvent(row: EventRow): IntentEvent {
  return {
    id: row.event_id,
    sequence: row.sequence,
    eventType: row.event_type,
    category: row.category,
    overridden: row.overridden,
    source: row.source,
    confidence: row.confidence,
    occurredAt: row.occurred_at,
  };
}

/** Keeps an intent's id within an epoch. */
async function store(tx: Transaction, intents: readonly ChangedIntent[], now: Date): Promise<void> {
  const stored = await tx.query<StoredIntent>(
    `INSERT INTO intents AS known (app_id, customer_id, intent_id, purpose, epoch, category, object,
      confidence, evidence, updated_at)
     SELECT $1, customer_id, intent_id, purpose, epoch, category, object, confidence, evidence::jsonb, $3
       FROM unnest($2::text[], $4::text[], $5::smallint[], $6::integer[], $7::text[], $8::text[],
         $9::double precision[], $10::text[])
       AS given (customer_id, intent_id, purpose, epoch, category, object, confidence, evidence)
     ON CONFLICT (app_id, customer_id, purpose, category, object) DO UPDATE SET
       intent_id = CASE WHEN known.epoch = excluded.epoch THEN known.intent_id ELSE excluded.intent_id END,
       epoch = excluded.epoch, confidence = excluded.confidence, evidence = excluded.evidence,
       updated_at = excluded.updated_at
     RETURNING customer_id, intent_id, purpose, category`,
    [
      tx.appId,
      intents.map(({ head }) => head.customer_id),
      now,
      intents.map(() => newId('int')),
      intents.map(({ purpose }) => purpose),
      intents.map(({ epoch }) => epoch),
      intents.map(({ category }) => category),
      intents.map(({ object }) => object),
      intents.map(({ confidence }) => confidence),
      textArray(intents.map((intent) => JSON.stringify(evidenceOf(intent)))),
    ],
  );
  const headOf = new Map(intents.map(({ head }) => [head.customer_id, head]));
  await report(tx, headOf, stored, now);
}

/** The events as claims, in the schema's spelling. */
function evidenceOf({ head, purpose, object, events }: ChangedIntent): unknown[] {
  return events.slice(0, MAX_INTENT_EVIDENCE).map((event) => ({
    id: event.id,
    customerId: head.customer_id,
    attribute: `event.${event.eventType}`,
    value: object,
    source: event.source,
    observedAt: event.occurredAt,
    context: null,
    consentPurpose: purposeAt(purpose),
    confidence: event.confidence,
    provenance: {
      sourcePartner: head.app_name,
      collectedAt: event.occurredAt,
      sourceSystem: null,
      evidenceUrl: null,
    },
  }));
}

async function report(
  tx: Transaction,
  headOf: ReadonlyMap<string, CustomerHead>,
  stored: readonly StoredIntent[],
  now: Date,
): Promise<void> {
  announceAll(
    tx,
    stored.map(({ customer_id, intent_id, purpose, category }) => ({
      type: 'intent.updated',
      data: {
        intent_id,
        customer_id,
        category,
        consent_purpose: purposeAt(purpose),
        updated_at: now.toISOString(),
      },
      customerId: customer_id,
      purposes: [purposeAt(purpose)],
      epochs: headOf.get(customer_id)?.epochs ?? [],
      at: now,
    })),
  );
}
