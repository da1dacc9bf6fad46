import type { Database } from '../database/Database.js';
import type { AppEntry, JournalEntry, Revocation, RevocationJournal } from '../database/RevocationJournal.js';
import { isPurpose, purposeAt } from '../domain/purposes.js';
import type { Purpose } from '../domain/purposes.js';
import { closeAgain } from './closeAgain.js';
import { contextAt } from './CommandContext.js';
import { deleteApp } from './deleteApp.js';
import { deleteCustomer } from './deleteCustomer.js';
import { revokeConsentReceipt } from './revokeConsentReceipt.js';

/** Numbers of what a replay repeated. */
export interface Replayed {
  entries: number;
  revoked: number;
  erased: number;
  appsDeleted: number;
  accountsClosed: number;
}

/** Entries that one statement looks up. */
const BATCH = 1000;

const OPEN = {
  name: 'journal_open_purposes',
  text: `SELECT p.receipt_id, p.purpose FROM consent_receipt_purposes p
          WHERE p.app_id = $1 AND p.receipt_id = ANY ($2) AND p.revoked_at IS NULL`,
};

const CUSTOMERS = {
  name: 'journal_customers',
  text: 'SELECT customer_id FROM customers WHERE app_id = $1 AND customer_id = ANY ($2)',
};

/** Without those whose deletion has begun. */
const APP = {
  name: 'journal_app',
  text: `SELECT FROM apps WHERE app_id = $1
            AND NOT EXISTS (SELECT FROM app_erasures e WHERE e.app_id = apps.app_id)`,
};

/**
 * Repeats what is in the journal but not in the database: after a restore, the withdrawals and erasures since
 * the backup. In a database that was not restored it carries out only those that nobody knows to have rolled
 * back (`commitJournaled`). Several processes may run it at once.
 *
 * @param database a database without a journal
 * @param closeAccounts closes the given accounts that are open again, and returns their number
 */
export async function replayJournal(
  database: Database,
  journal: RevocationJournal,
  clock: () => Date,
  closeAccounts: (ids: readonly string[]) => Promise<number>,
): Promise<Replayed> {
  const replayed = { entries: 0, revoked: 0, erased: 0, appsDeleted: 0, accountsClosed: 0 };
  let batch: JournalEntry[] = [];
  const settle = async (): Promise<void> => {
    const accounts = batch.flatMap((entry) => (entry.kind === 'account_deleted' ? [entry.account_id] : []));
    if (accounts.length > 0) replayed.accountsClosed += await closeAccounts(accounts);
    const ofApps = batch.filter((entry) => entry.kind !== 'account_deleted');
    await replayBatch(database, ofApps, clock, replayed);
    batch = [];
  };
  for await (const entry of journal.entries()) {
    replayed.entries += 1;
    batch.push(entry);
    if (batch.length === BATCH) await settle();
  }
  await settle();
  return replayed;
}

async function replayBatch(
  database: Database,
  batch: readonly AppEntry[],
  clock: () => Date,
  replayed: Replayed,
): Promise<void> {
  for (const appId of new Set(batch.map(({ app_id }) => app_id))) {
    const own = batch.filter(({ app_id }) => app_id === appId);
    const revocations = own.filter((entry) => entry.kind === 'revoked');
    replayed.revoked += await revokeAgain(database, appId, revocations, clock);
    replayed.revoked += await closeAgain(database, appId, revocations, clock);
    replayed.erased += await eraseAgain(database, appId, own, clock);
    if (own.some(({ kind }) => kind === 'app_deleted') && (await database.read(APP, [appId])).length > 0) {
      await database.transaction(null, (tx) => deleteApp(tx, appId, clock()));
      replayed.appsDeleted += 1;
    }
  }
}

/** Withdraws from the receipts of the journal what is still granted on them. */
async function revokeAgain(
  database: Database,
  appId: string,
  revocations: readonly Revocation[],
  clock: () => Date,
): Promise<number> {
  if (revocations.length === 0) return 0;
  const ids = revocations.map(({ receipt_id }) => receipt_id);
  const rows = await database.readAs<{ receipt_id: string; purpose: number }>(appId, OPEN, [appId, ids]);
  let revoked = 0;
  for (const { receipt_id: receiptId, purposes } of revocations) {
    const open = rows.filter((row) => row.receipt_id === receiptId).map(({ purpose }) => purposeAt(purpose));
    const wanted = purposes.filter(
      (purpose): purpose is Purpose => isPurpose(purpose) && open.includes(purpose),
    );
    if (wanted.length === 0) continue;
    const input = { purposes: wanted, reason: null, note: null };
    await database.transaction(appId, (tx) =>
      revokeConsentReceipt(tx, contextAt(appId, clock), receiptId, input),
    );
    revoked += 1;
  }
  return revoked;
}

async function eraseAgain(
  database: Database,
  appId: string,
  entries: readonly AppEntry[],
  clock: () => Date,
): Promise<number> {
  const ids = entries.flatMap((entry) => (entry.kind === 'erased' ? [entry.customer_id] : []));
  if (ids.length === 0) return 0;
  const rows = await database.readAs<{ customer_id: string }>(appId, CUSTOMERS, [appId, ids]);
  for (const { customer_id: id } of rows)
    await database.transaction(appId, (tx) => deleteCustomer(tx, contextAt(appId, clock), id));
  return rows.length;
}
