import type { CustomerHead } from '../commands/customerHead.js';
import { epochAt } from '../access/consentGate.js';
import { purposeAt } from '../domain/purposes.js';
import type { Transaction } from '../database/Transaction.js';
import { groupBy } from '../domain/groupBy.js';
import { newId } from '../domain/ids.js';
import { intentsOf, MAX_INTENT_EVIDENCE } from '../domain/intents/intentsOf.js';
import type { Intent, IntentEvent } from '../domain/intents/intentsOf.js';
import type { WebhookMessage } from '../domain/webhooks/WebhookMessage.js';
import type { Services } from '../Services.js';
import type { TouchedObject } from './ItemHandler.js';

/**
 * The newest events of one purpose and object, and of each category on it, from which intents are computed.
 * Bounds the work.
 */
const MAX_EVENTS = 200;

/** The newest events on a busy object among which those of a category are looked for. */
const MAX_LOOKED_AT = 5000;

/** The newest events of a day on one object among which an event of a type is looked for. */
const MAX_OF_A_DAY = 1000;

const EVENT = `e.sequence, e.event_type AS "eventType", e.category,
              e.payload ? 'intentCategory' AS overridden, e.payload ->> 'source' AS source,
              e.payload ->> 'confidence' AS stated,
              1000 * date_part('epoch', e.occurred_at) AS "occurredMs"`;

interface EventRow extends Omit<IntentEvent, 'confidence'> {
  /** The place of its object among those asked for, from 1. */
  place: number;
  /** Its confidence as text, which costs least. */
  stated: string;
}

interface StoredIntent {
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
 * Computes the intents of the touched objects again from their live events. The caller has locked the
 * customers' heads.
 *
 * @returns makes what to announce
 */
export async function updateIntents(
  tx: Transaction,
  services: Services,
  touched: Iterable<TouchedObject>,
): Promise<() => WebhookMessage[]> {
  const objects = [...touched];
  if (objects.length === 0) return () => [];
  const newest = groupBy(await eventsOf(tx, objects), ({ place }) => place);
  const busy = objects.flatMap((object, index) =>
    newest.get(index + 1)?.length === MAX_EVENTS ? [{ ...object, place: index + 1 }] : [],
  );
  const older = busy.length === 0 ? [] : await olderEventsOf(tx, busy, services.intents.habit.within);
  const hidden = groupBy(older, ({ place }) => place);
  const now = services.clock();
  const changed = objects.flatMap(({ head, purpose, object, events }, index) => {
    const rows = [...(newest.get(index + 1) ?? []), ...(hidden.get(index + 1) ?? [])];
    const own = new Map(rows.map((row) => [row.sequence, toEvent(row)]));
    const intents = intentsOf([...own.values()], services.intents, now);
    const news = intents.filter((intent) => intent.events.some(({ sequence }) => events.has(sequence)));
    return news.map((intent) => ({ ...intent, head, purpose, object, epoch: epochAt(head, purpose) }));
  });
  const stored = changed.length === 0 ? [] : await store(tx, changed, now);
  const headOf = new Map(objects.map(({ head }) => [head.customer_id, head]));
  return () => stored.map((intent) => messageOf(intent, headOf.get(intent.customer_id)?.epochs ?? [], now));
}

function eventsOf(tx: Transaction, objects: readonly TouchedObject[]): Promise<EventRow[]> {
  return tx.queryInOrder<EventRow>(
    `SELECT asked.place, e.*
       FROM unnest($2::text[], $3::smallint[], $4::integer[], $5::text[]) WITH ORDINALITY
         AS asked (customer_id, purpose, epoch, object, place)
     CROSS JOIN LATERAL (
       SELECT ${EVENT}
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

/**
 * What the newest events of busy objects hide: their new events, the newest ones of the same category, and
 * for habits one of the same type on each day close to them.
 */
function olderEventsOf(
  tx: Transaction,
  objects: readonly (TouchedObject & { place: number })[],
  within: number,
): Promise<EventRow[]> {
  const added = objects.flatMap(({ place, events }) => [...events].map((sequence) => ({ place, sequence })));
  return tx.queryInOrder<EventRow>(
    `WITH asked AS (
       SELECT * FROM unnest($2::integer[], $3::text[], $4::smallint[], $5::integer[], $6::text[])
         AS asked (place, customer_id, purpose, epoch, object)),
     added AS (
       SELECT place, e.sequence, e.event_type, e.category, e.payload, e.occurred_at,
              e.payload ? 'intentCategory' AS overridden,
              date_trunc('day', e.occurred_at, 'UTC') AS day
         FROM unnest($7::integer[], $8::bigint[]) AS added (place, sequence) JOIN asked USING (place)
         JOIN events e ON e.app_id = $1 AND e.customer_id = asked.customer_id AND e.sequence = added.sequence)
     SELECT place, ${EVENT} FROM added e
     UNION ALL
     SELECT place, e.*
       FROM asked JOIN (SELECT DISTINCT place, category FROM added) k USING (place)
      CROSS JOIN LATERAL (
        SELECT ${EVENT} FROM (
          SELECT sequence, event_type, category, payload, occurred_at FROM events e
           WHERE e.app_id = $1 AND e.customer_id = asked.customer_id AND e.purpose = asked.purpose
             AND e.object = asked.object AND e.epoch = asked.epoch AND e.status = 'processed'
           ORDER BY e.occurred_at DESC, e.sequence DESC LIMIT ${MAX_LOOKED_AT}) e
         WHERE e.category = k.category LIMIT ${MAX_EVENTS}) e
     UNION ALL
     SELECT place, e.*
       FROM asked JOIN (
         SELECT DISTINCT place, event_type, day + near * interval '24 hours' AS day
           FROM added, generate_series(1 - $9::integer, $9 - 1) near WHERE NOT overridden) k USING (place)
      CROSS JOIN LATERAL (
        SELECT ${EVENT} FROM (
          SELECT sequence, event_type, category, payload, occurred_at FROM events e
           WHERE e.app_id = $1 AND e.customer_id = asked.customer_id AND e.purpose = asked.purpose
             AND e.object = asked.object AND e.occurred_at >= k.day
             AND e.occurred_at < k.day + interval '24 hours'
             AND e.epoch = asked.epoch AND e.status = 'processed'
           ORDER BY e.occurred_at DESC, e.sequence DESC LIMIT ${MAX_OF_A_DAY}) e
         WHERE e.event_type = k.event_type AND NOT e.payload ? 'intentCategory' LIMIT 1) e`,
    [
      tx.appId,
      objects.map(({ place }) => place),
      objects.map(({ head }) => head.customer_id),
      objects.map(({ purpose }) => purpose),
      objects.map(({ head, purpose }) => epochAt(head, purpose)),
      objects.map(({ object }) => object),
      added.map(({ place }) => place),
      added.map(({ sequence }) => sequence),
      within,
    ],
  );
}

function toEvent(row: EventRow): IntentEvent {
  const { sequence, eventType, category, overridden, source, stated, occurredMs } = row;
  return { sequence, eventType, category, overridden, source, confidence: Number(stated), occurredMs };
}

/** Keeps an intent's id within an epoch. */
function store(tx: Transaction, intents: readonly ChangedIntent[], now: Date): Promise<StoredIntent[]> {
  return tx.query<StoredIntent>(
    `INSERT INTO intents AS known (app_id, customer_id, intent_id, purpose, epoch, category, object,
      confidence, evidence, events, updated_at)
     SELECT $1, customer_id, intent_id, purpose, epoch, category, object, confidence, '[]', events::bigint[], $3
       FROM unnest($2::text[], $4::text[], $5::smallint[], $6::integer[], $7::text[], $8::text[],
         $9::double precision[], $10::text[])
       AS given (customer_id, intent_id, purpose, epoch, category, object, confidence, events)
     ON CONFLICT (app_id, customer_id, purpose, category, object) DO UPDATE SET
       intent_id = CASE WHEN known.epoch = excluded.epoch THEN known.intent_id ELSE excluded.intent_id END,
       epoch = excluded.epoch, confidence = excluded.confidence, evidence = excluded.evidence,
       events = excluded.events, updated_at = excluded.updated_at
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
      intents.map(({ events }) => arrayOf(events.slice(0, MAX_INTENT_EVIDENCE))),
    ],
  );
}

/** PostgreSQL's text of their sequences. */
function arrayOf(events: readonly IntentEvent[]): string {
  return `{${events.map(({ sequence }) => sequence).join(',')}}`;
}

function messageOf(
  { customer_id, intent_id, purpose, category }: StoredIntent,
  epochs: readonly number[],
  now: Date,
): WebhookMessage {
  const consent_purpose = purposeAt(purpose);
  return {
    type: 'intent.updated',
    data: { intent_id, customer_id, category, consent_purpose, updated_at: now.toISOString() },
    customerId: customer_id,
    purposes: [consent_purpose],
    epochs,
    at: now,
  };
}
