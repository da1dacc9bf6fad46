import type { Database } from '../database/Database.js';
import type { AppEntry, Revocation } from '../database/RevocationJournal.js';
import type { Transaction } from '../database/Transaction.js';
import { epochOf, isGranted } from '../domain/consent.js';
import { groupBy } from '../domain/groupBy.js';
import { isPurpose, PLACE_OF, PURPOSES } from '../domain/purposes.js';
import type { Purpose } from '../domain/purposes.js';
import { contextAt } from './CommandContext.js';
import type { CommandContext } from './CommandContext.js';
import { lockHeadToWithdraw } from './customerHead.js';
import { endApprovals } from './endApprovals.js';
import { revokeConsentReceipt } from './revokeConsentReceipt.js';
import { newestReceipts } from './withdrawConnection.js';

interface Consent {
  customer_id: string;
  granted_mask: number;
  epochs: number[];
  /** When each purpose was last granted, by its place. */
  granted_at: Record<number, string> | null;
}

/** An epoch that a journal says ended; undefined in entries of earlier versions. */
interface Ended {
  purpose: Purpose;
  epoch: number | undefined;
  at: string;
}

type RevokedEntry = AppEntry & Revocation;

/**
 * Closes the epochs that the journal says ended and the database does not know to have ended: the receipt
 * that the withdrawal named may be lost, or may have been withdrawn before, while another one grants the
 * purpose. A later grant begins an epoch after all that the journal has.
 *
 * @returns of how many customers consent was closed
 */
export async function closeAgain(
  database: Database,
  appId: string,
  revocations: readonly RevokedEntry[],
  clock: () => Date,
): Promise<number> {
  const ofCustomers = groupBy(revocations, ({ customer_id }) => customer_id);
  const rows = await database.readAs<Consent>(appId, CONSENTS, [appId, [...ofCustomers.keys()]]);
  let closed = 0;
  for (const row of rows) {
    const ended = endedIn(ofCustomers.get(row.customer_id) ?? []);
    if (unknownTo(row, ended).length === 0) continue;
    const close = (tx: Transaction): Promise<boolean> =>
      closeUnknown(tx, contextAt(appId, clock), row.customer_id, ended);
    if (await database.transaction(appId, close)) closed += 1;
  }
  return closed;
}

function endedIn(entries: readonly RevokedEntry[]): Ended[] {
  return entries.flatMap(({ purposes, epochs, at }) =>
    purposes.flatMap((purpose, index) =>
      isPurpose(purpose) ? [{ purpose, epoch: epochs?.[index], at }] : [],
    ),
  );
}

function unknownTo(consent: Consent, ended: readonly Ended[]): Ended[] {
  const state = { grantedMask: consent.granted_mask, epochs: consent.epochs };
  return ended.filter(({ purpose, epoch, at }) => {
    const open = isGranted(state, purpose);
    if (epoch !== undefined) return epochOf(state, purpose) < epoch + (open ? 1 : 0);
    const grantedAt = consent.granted_at?.[PLACE_OF[purpose]];
    return open && grantedAt !== undefined && Date.parse(grantedAt) <= Date.parse(at);
  });
}

/** @returns whether a purpose was open */
async function closeUnknown(
  tx: Transaction,
  context: CommandContext,
  customerId: string,
  ended: readonly Ended[],
): Promise<boolean> {
  const head = await lockHeadToWithdraw(tx, customerId);
  const consent = await tx.one<Consent>(CONSENTS.text, [context.appId, [customerId]]);
  // Erased meanwhile, or closed by another process that replays.
  if (head === undefined || consent === undefined) return false;
  const unknown = unknownTo(consent, ended);
  if (unknown.length === 0) return false;
  const purposes = [...new Set(unknown.map(({ purpose }) => purpose))];
  const epochs = PURPOSES.map((_, place) => consent.epochs[place] ?? 0);
  for (const { purpose, epoch = 0 } of unknown)
    epochs[PLACE_OF[purpose]] = Math.max(epochs[PLACE_OF[purpose]] ?? 0, epoch);
  await tx.execute(SET_EPOCHS, [context.appId, customerId, epochs.join(',')]);
  await endApprovals(tx, context, customerId, purposes, 'partner');
  const open = purposes.filter((purpose) =>
    isGranted({ grantedMask: consent.granted_mask, epochs }, purpose),
  );
  const byReceipt = await newestReceipts(tx, customerId, open);
  for (const [receiptId, withdrawn] of byReceipt)
    await revokeConsentReceipt(tx, context, receiptId, { purposes: withdrawn, reason: null, note: null });
  return open.length > 0;
}

const CONSENTS = {
  name: 'journal_consents',
  text: `SELECT h.customer_id, h.granted_mask, h.epochs,
                (SELECT jsonb_object_agg(c.purpose, c.granted_at) FROM customer_consents c
                  WHERE c.app_id = $1 AND c.customer_id = h.customer_id) AS granted_at
           FROM customer_heads h WHERE h.app_id = $1 AND h.customer_id = ANY ($2)`,
};

// Not `epochs = $3::integer[]`: see `OPEN_PURPOSES`.
const SET_EPOCHS = `
  UPDATE customer_heads SET epochs = string_to_array($3, ',')::integer[]
   WHERE app_id = $1 AND customer_id = $2`;
