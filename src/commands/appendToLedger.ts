import type { JournalEntry } from '../database/RevocationJournal.js';
import type { Transaction } from '../database/Transaction.js';
import { GENESIS_HASH, linkRecord } from '../domain/ledger.js';
import type { LedgerEntry, LedgerRecord } from '../domain/ledger.js';
import { ledgerRecords } from './commandMetrics.js';

/** What transactions have decided, to be linked at their end. */
const decided = new WeakMap<Transaction, LedgerRecord[]>();

/**
 * Appends a decision to the app's ledger. The records of a transaction are linked at its end: the
 * app's ledger head is locked only from then until the commit, so records stand in commit order.
 *
 * @param epochs for the journal: the consent epoch of each purpose of a revocation
 */
export function appendToLedger(tx: Transaction, record: LedgerRecord, epochs: readonly number[] = []): void {
  const journaled = journalEntryOf(tx.app, record, epochs);
  if (journaled !== undefined) tx.toJournal(journaled);
  const records = decided.get(tx);
  if (records !== undefined) {
    records.push(record);
    return;
  }
  const first = [record];
  decided.set(tx, first);
  tx.beforeCommit(() => link(tx, first));
  tx.afterCommit(() => ledgerRecords.inc(first.length));
}

async function link(tx: Transaction, records: readonly LedgerRecord[]): Promise<void> {
  const [head] = await tx.query<{ ledger_sequence: number; hash: string }>(
    `INSERT INTO consent_ledger_heads AS h (app_id, ledger_sequence, hash) VALUES ($1, 0, $2)
     ON CONFLICT (app_id) DO UPDATE SET ledger_sequence = h.ledger_sequence RETURNING ledger_sequence, hash`,
    [tx.appId, GENESIS_HASH],
  );
  if (head === undefined) throw new Error('The ledger has no head.');
  const entries: LedgerEntry[] = [];
  let last = { sequence: head.ledger_sequence, hash: head.hash };
  for (const record of records) {
    const entry = linkRecord(last.sequence + 1, last.hash, record);
    entries.push(entry);
    last = entry;
  }
  tx.send(
    `WITH moved AS (UPDATE consent_ledger_heads SET ledger_sequence = $2, hash = $3 WHERE app_id = $1)
     INSERT INTO consent_ledger (app_id, ledger_sequence, record, previous_hash, hash)
     SELECT $1, sequence, record, previous_hash, hash
       FROM unnest($4::bigint[], $5::text[], $6::text[], $7::text[]) AS entry (sequence, record,
         previous_hash, hash) RETURNING 1`,
    [
      tx.appId,
      last.sequence,
      last.hash,
      entries.map(({ sequence }) => sequence),
      entries.map(({ record }) => record),
      entries.map(({ previousHash }) => previousHash),
      entries.map(({ hash }) => hash),
    ],
  );
}

/** The journal entry of a decision that a restore must not undo. Undefined for a grant, which may be lost. */
function journalEntryOf(
  appId: string,
  { action, customer_id, receipt_id, purposes = [], decided_at: at }: LedgerRecord,
  epochs: readonly number[],
): JournalEntry | undefined {
  if (action === 'erased') return { at, app_id: appId, kind: 'erased', customer_id };
  if (action !== 'revoked' || receipt_id === undefined) return undefined;
  return { at, app_id: appId, kind: 'revoked', customer_id, receipt_id, purposes, epochs };
}
