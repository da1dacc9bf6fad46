import type { CustomerHead } from '../commands/customerHead.js';
import { purposeAt } from '../domain/purposes.js';
import { announceAll } from '../database/outbox.js';
import type { Transaction } from '../database/Transaction.js';
import { categoryOf } from '../domain/intents/IntentRules.js';
import type { Services } from '../Services.js';
import { headOf, placesOf, ROWS_GIVEN } from './ItemHandler.js';
import type { InboxRow } from '../../entities/InboxEntity.js';
import type { ItemFailure, ItemHandler, Touched } from './ItemHandler.js';

const WITHDRAWN: ItemFailure = {
  code: 'consent_denied',
  message: 'The purpose was closed after the event was accepted.',
};

/** Settles accepted events: processed, rejected or failed. */
export const eventHandler: ItemHandler = {
  async apply(tx, services, heads, rows, touched) {
    await tx.execute(PROCESS, [
      tx.appId,
      ...placesOf(rows),
      rows.map((row) => categoryOf(services.intents, eventTypeOf(row), overrideOf(row))),
      services.clock(),
      rows[0] && headOf(heads, rows[0]).app_name,
    ]);
    for (const row of rows) touch(touched, headOf(heads, row), row);
  },
  async reject(tx, services, rows) {
    await settle(tx, services, rows, 'rejected', WITHDRAWN);
    announceAll(
      tx,
      rows.map((row) => ({
        type: 'event.rejected',
        data: {
          event_id: row.item_id,
          customer_id: row.customer_id,
          consent_purpose: purposeAt(row.purpose),
          error_code: WITHDRAWN.code,
        },
        customerId: row.customer_id,
        at: services.clock(),
      })),
    );
  },
  async fail(tx, services, row, error) {
    await settle(tx, services, [row], 'failed', error);
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

function touch({ objects }: Touched, head: CustomerHead, row: InboxRow): void {
  const { purpose } = row;
  const object = String(row.payload['object']);
  const key = `${row.customer_id}/${purpose}/${object}`;
  const known = objects.get(key) ?? { head, purpose, object, events: new Set<number>() };
  known.events.add(row.sequence);
  objects.set(key, known);
}

// PostgreSQL reads the payload from the inbox and fills in the defaults of
// docs/contract.md#events-and-claims.
const PROCESS = `
  INSERT INTO events (app_id, customer_id, sequence, event_id, status, purpose, epoch, event_type, object,
    category, occurred_at, payload,
    accepted_at, processed_at)
  SELECT $1, i.customer_id, i.sequence, i.item_id, 'processed', i.purpose, i.epoch, i.payload ->> 'eventType',
         i.payload ->> 'object',
         given.category, (i.payload ->> 'occurredAt')::timestamptz,
         jsonb_build_object('source', $6::text, 'confidence', 1) || i.payload,
         i.accepted_at, $5
    FROM unnest($2::text[], $3::bigint[], $4::text[]) AS given (customer_id, sequence, category)
    ${ROWS_GIVEN}
   ORDER BY i.customer_id, i.sequence RETURNING 1`;

/** A rejected or failed event keeps no content, so that no content can prevent recording it. */
async function settle(
  tx: Transaction,
  services: Services,
  rows: readonly InboxRow[],
  status: 'rejected' | 'failed',
  error: ItemFailure,
): Promise<void> {
  await tx.execute(
    `INSERT INTO events (app_id, customer_id, sequence, event_id, status, purpose, epoch, error, accepted_at,
      processed_at)
     SELECT $1, i.customer_id, i.sequence, i.item_id, $4, i.purpose, i.epoch, $5, i.accepted_at, $6
       FROM unnest($2::text[], $3::bigint[]) AS given (customer_id, sequence)
       ${ROWS_GIVEN}
      ORDER BY i.customer_id, i.sequence RETURNING 1`,
    [tx.appId, ...placesOf(rows), status, JSON.stringify(error), services.clock()],
  );
}
