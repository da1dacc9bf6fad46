import type { JournalEntry } from '../database/RevocationJournal.js';
import type { Transaction } from '../database/Transaction.js';
import { GENESIS_HASH, linkRecord } from '../domain/ledger.js';
import type { LedgerRecord } from '../domain/ledger.js';

/**
 * Appends a decision to the app's ledger. The app's ledger head stays locked until the commit, which puts the records in
 * commit order; call it as late in the transaction as can be, after the customer's head was locked.
 */
export async function appendToLedger(tx: Transaction, record: LedgerRecord): Promise<void> {
  const [head] = await tx.query<{ ledger_sequence: number; hash: string }>(
    `INSERT INTO consent_ledger_heads AS h (app_id, ledger_sequence, hash) VALUES ($1, 0, $2)
     ON CONFLICT (app_id) DO UPDATE SET ledger_sequence = h.ledger_sequence RETURNING ledger_sequence, hash`,
    [tx.appId, GENESIS_HASH],
  );
  if (head === undefined) throw new Error('The ledger has no head.');
  const entry = linkRecord(head.ledger_sequence + 1, head.hash, record);
  tx.send(
    `WITH moved AS (UPDATE consent_ledger_heads SET ledger_sequence = $2, hash = $5 WHERE app_id = $1)
     INSERT INTO consent_ledger (app_id, ledger_sequence, record, previous_hash, hash) VALUES ($1, $2, $3, $4, $5)`,
    [tx.appId, entry.sequence, entry.record, entry.previousHash, entry.hash],
  );
  const journaled = journalEntryOf(tx.appId ?? '', record);
  // On the disk before the commit: nothing that was answered can be missing from it.
  if (journaled !== undefined) await tx.journal?.append(journaled);
}

/** What must not come back with an older state of the database; undefined for a grant, which may be lost. */
function journalEntryOf(appId: string, record: LedgerRecord): JournalEntry | undefined {
  const { action, customer_id, receipt_id, purposes = [], decided_at: at } = record;
  if (action === 'erased') return { at, app_id: appId, kind: 'erased', customer_id };
  if (action !== 'revoked' || receipt_id === undefined) return undefined;
  return { at, app_id: appId, kind: 'revoked', customer_id, receipt_id, purposes };
}
