import type { Transaction } from '../database/Transaction.js';
import { PURPOSES, PLACE_OF, purposesOf, purposeAt } from '../domain/purposes.js';
import type { Purpose } from '../domain/purposes.js';
import type { SecretBox } from '../domain/SecretBox.js';
import type { CommandContext } from './CommandContext.js';
import { lockHeadToWithdraw } from './customerHead.js';
import { endApprovals } from './endApprovals.js';
import { queueNotice } from '../mail/queueNotice.js';
import { revokeConsentReceipt } from './revokeConsentReceipt.js';

export interface WithdrawConnectionInput {
  customerId: string;
  /** The account of the person who withdraws. */
  accountId: string;
  /** Purposes to withdraw; all when absent. */
  purposes?: readonly Purpose[];
}

export interface Withdrawal {
  purposes: Purpose[];
  /** The cascades that erase what was collected. */
  workflowIds: string[];
}

/**
 * Withdraws purposes for the person, by the command that partners use, on the newest receipt that granted
 * each. Approvals that the partner has not recorded are withdrawn too. Purposes that are neither granted nor
 * approved are ignored. The person is told by mail.
 */
export async function withdrawConnection(
  tx: Transaction,
  context: CommandContext & { secrets: SecretBox },
  input: WithdrawConnectionInput,
): Promise<Withdrawal> {
  const head = await lockHeadToWithdraw(tx, input.customerId);
  if (head === undefined) return { purposes: [], workflowIds: [] };
  const approved = await endApprovals(tx, context, input.customerId, input.purposes ?? PURPOSES, 'person');
  const granted = purposesOf(head.granted_mask);
  const wanted = granted.filter((purpose) => input.purposes?.includes(purpose) ?? true);
  const byReceipt = await newestReceipts(tx, input.customerId, wanted);
  const workflowIds: string[] = [];
  for (const [receiptId, purposes] of byReceipt) {
    const { workflowId } = await revokeConsentReceipt(
      tx,
      context,
      receiptId,
      { purposes, reason: 'user_request' },
      { decidedBy: 'person' },
    );
    workflowIds.push(workflowId);
  }
  const withdrawn = PURPOSES.filter((purpose) => wanted.includes(purpose) || approved.includes(purpose));
  if (withdrawn.length > 0)
    await queueNotice(tx, context, { accountId: input.accountId, purposes: withdrawn });
  return { purposes: withdrawn, workflowIds };
}

/** The newest receipt with each purpose. */
export async function newestReceipts(
  tx: Transaction,
  customerId: string,
  purposes: readonly Purpose[],
): Promise<Map<string, Purpose[]>> {
  const rows = await tx.query<{ receipt_id: string; purpose: number }>(NEWEST, [
    tx.app,
    customerId,
    purposes.map((purpose) => PLACE_OF[purpose]),
  ]);
  const byReceipt = new Map<string, Purpose[]>();
  for (const { receipt_id: id, purpose } of rows)
    byReceipt.set(id, [...(byReceipt.get(id) ?? []), purposeAt(purpose)]);
  return byReceipt;
}

const NEWEST = `
  SELECT DISTINCT ON (p.purpose) p.receipt_id, p.purpose
    FROM consent_receipts r JOIN consent_receipt_purposes p USING (app_id, receipt_id)
   WHERE r.app_id = $1 AND r.customer_id = $2 AND p.purpose = ANY ($3)
   ORDER BY p.purpose, p.receipt_id DESC`;
