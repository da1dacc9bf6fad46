import type { CustomerHead } from '../commands/customerHead.js';
import { purposeAt } from '../commands/receiptRow.js';
import { announceAll } from '../database/outbox.js';
import type { Transaction } from '../database/Transaction.js';
import { categoryOf } from '../domain/intents/IntentRules.js';
import type { Services } from '../Services.js';
import type { InboxRow, ItemFailure, ItemHandler, Touched } from './applyInbox.js';

const WITHDRAWN: ItemFailure = {
  code: 'consent_denied',
  message: 'The purpose was closed after the event was accepted.',
};

/** Makes accepted events into what they are from then on: processed, rejected or failed. */
export const eventHandler: ItemHandler = {
  async apply(tx, services, head, rows, touched) {
    await tx.execute(PROCESS, [
      tx.appId,
      head.customer_id,
      services.clock(),
      rows.map(({ sequence }) => sequence),
      rows.map((row) => categoryOf(services.intents, eventTypeOf(row), overrideOf(row))),
      head.app_name,
    ]);
    for (const row of rows) touch(touched, row);
  },
  async reject(tx, services, head, rows) {
    await settle(tx, services, head, rows, 'rejected', WITHDRAWN);
    await announceAll(
      tx,
      rows.map((row) => ({
        type: 'event.rejected',
        data: {
          event_id: row.item_id,
          customer_id: head.customer_id,
          consent_purpose: purposeAt(row.purpose),
          error_code: WITHDRAWN.code,
        },
        customerId: head.customer_id,
        at: services.clock(),
      })),
    );
  },
  async fail(tx, services, head, row, error) {
    await settle(tx, services, head, [row], 'failed', error);
    return { kept: false };
  },
};

function eventTypeOf({ payload }: InboxRow): string {
  return String(payload['eventType']);
}

function overrideOf({ payload }: InboxRow): string | undefined {
  const own = payload['intentCategory'];
  return typeof own === 'string' ? own : undefined;
}

function touch({ objects }: Touched, row: InboxRow): void {
  const { purpose } = row;
  const object = String(row.payload['object']);
  const key = `${purpose}/${object}`;
  const known = objects.get(key) ?? { purpose, object, events: new Set<string>() };
  known.events.add(row.item_id);
  objects.set(key, known);
}

// The payload is taken from the inbox within PostgreSQL; the defaults of decisions 15 are filled in here.
const PROCESS = `
  INSERT INTO events (app_id, customer_id, sequence, event_id, status, purpose, epoch, event_type, object, category, occurred_at, payload,
    accepted_at, processed_at)
  SELECT $1, $2, i.sequence, i.item_id, 'processed', i.purpose, i.epoch, i.payload ->> 'eventType', i.payload ->> 'object', given.category,
         (i.payload ->> 'occurredAt')::timestamptz, jsonb_build_object('source', $6::text, 'confidence', 1) || i.payload,
         i.accepted_at, $3
    FROM unnest($4::bigint[], $5::text[]) AS given (sequence, category)
    JOIN inbox i ON i.app_id = $1 AND i.customer_id = $2 AND i.sequence = given.sequence`;

/** Of an event that came to nothing no content is kept: nothing in it can stand in the way of recording that. */
async function settle(
  tx: Transaction,
  services: Services,
  head: CustomerHead,
  rows: readonly InboxRow[],
  status: 'rejected' | 'failed',
  error: ItemFailure,
): Promise<void> {
  await tx.execute(
    `INSERT INTO events (app_id, customer_id, sequence, event_id, status, purpose, epoch, error, accepted_at, processed_at)
     SELECT $1, $2, i.sequence, i.item_id, $5, i.purpose, i.epoch, $6, i.accepted_at, $3
       FROM inbox i WHERE i.app_id = $1 AND i.customer_id = $2 AND i.sequence = ANY ($4)`,
    [tx.appId, head.customer_id, services.clock(), rows.map(({ sequence }) => sequence), status, JSON.stringify(error)],
  );
}
