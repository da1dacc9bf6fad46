import type pg from 'pg';
import { newId } from '../../src/domain/ids.js';
import type { IngestEventInput } from '../../schema/inputs/EventInput.js';

const COLUMNS = 9;

/**
 * What accepting costs at the very least: one multi-row INSERT of the same rows into a table like the inbox,
 * keys and indexes included.
 */
export async function plainInsert(
  pool: pg.Pool,
  appId: string,
  events: readonly IngestEventInput[],
  batch: number,
): Promise<void> {
  const values = events.flatMap((event, index) => {
    const { customerId, consentPurpose: _purpose, ...payload } = event;
    const sequence = batch * events.length + index;
    return [appId, customerId, sequence, 'event', newId('evt'), 1, 1, JSON.stringify(payload), new Date()];
  });
  await pool.query({ name: `plain_${events.length}`, text: statement(events.length), values });
}

const statements = new Map<number, string>();

function statement(rows: number): string {
  const known = statements.get(rows);
  if (known !== undefined) return known;
  const tuples = Array.from({ length: rows }, (_, row) => {
    const places = Array.from({ length: COLUMNS }, (__, column) => `$${row * COLUMNS + column + 1}`);
    return `(${places.join(', ')})`;
  });
  const text = `INSERT INTO plain (app_id, customer_id, sequence, kind, item_id, purpose, epoch, payload,
    accepted_at) VALUES ${tuples.join(', ')}`;
  statements.set(rows, text);
  return text;
}
