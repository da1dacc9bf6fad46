import type { RevokeConsentReceiptInput } from '../../schema/inputs/ConsentInput.js';
import type { RevokeConsentReceiptPayload } from '../../schema/types/Consent.js';
import { announce } from '../database/outbox.js';
import type { Transaction } from '../database/Transaction.js';
import { enqueue } from '../database/workQueue.js';
import { closePurposes } from '../domain/consent.js';
import type { ConsentState } from '../domain/consent.js';
import type { LedgerRecord } from '../domain/ledger.js';
import { PLACE_OF, purposeAt } from '../domain/purposes.js';
import type { Purpose } from '../domain/purposes.js';
import { notFound, validationFailed } from '../errors.js';
import { appendToLedger } from './appendToLedger.js';
import type { CommandContext } from './CommandContext.js';
import { decisionTime, lockHeadToWithdraw } from './customerHead.js';
import type { CustomerHead } from './customerHead.js';
import { endApprovals } from './endApprovals.js';
import { restartLearning } from './requestLearning.js';
import { insertWorkflow, workflowUrl } from './insertWorkflow.js';

export interface RevocationOptions {
  /** By default the partner. */
  decidedBy?: LedgerRecord['decided_by'];
  /** The outcome of `lockReceipt` where it was called ahead. */
  locked?: LockedReceipt | undefined;
}

type LockedReceipt = Promise<[CustomerHead | undefined, PurposeRow[]]>;

/**
 * Withdraws purposes of a receipt, and ends the older approvals of them that no receipt recorded yet. When
 * this commits the gate is closed for every reader and worker: they all test the customer's head, which is
 * locked here. The workflow then erases what was collected (docs/contract.md#consent).
 */
export async function revokeConsentReceipt(
  tx: Transaction,
  begun: CommandContext,
  id: string,
  input: RevokeConsentReceiptInput,
  { decidedBy = 'partner', locked }: RevocationOptions = {},
): Promise<RevokeConsentReceiptPayload> {
  const [head, onReceipt] = await (locked ?? lockReceipt(id)(tx));
  if (head === undefined) throw notFound('consent receipt');
  const context = { ...begun, now: decisionTime([head], begun.clock) };
  const customerId = head.customer_id;
  const purposes = purposesToRevoke(onReceipt, input.purposes);
  await endApprovals(tx, context, customerId, purposes, 'partner');
  const { state, closed } = closePurposes({ grantedMask: head.granted_mask, epochs: head.epochs }, purposes);
  closeOnReceipt(tx, context, id, purposes, input);
  closeForCustomer(tx, context, customerId, purposes, state);
  const subject = {
    customer_id: customerId,
    receipt_id: id,
    closed: closed.map(({ purpose, epoch }) => ({ purpose, epoch })),
  };
  const workflowId = insertWorkflow(tx, 'consent_revocation_cascade', subject, context.now);
  enqueue(tx, 'workflow', [workflowId], context.clock());
  reportRevocation(tx, context, {
    id,
    customerId,
    purposes,
    workflowId,
    epochs: head.epochs,
    reason: input.reason ?? 'other',
    decidedBy,
  });
  const places = closed.map(({ purpose }) => PLACE_OF[purpose]);
  restartLearning(tx, context.appId, places, context.clock());
  return {
    workflowId,
    status: 'accepted',
    acceptedAt: context.now.toISOString(),
    statusUrl: workflowUrl(workflowId),
  };
}

/** Locks the head of a receipt's customer, if there is one, and reads the receipt's purposes. */
export function lockReceipt(id: string) {
  return (tx: Transaction): LockedReceipt =>
    Promise.all([
      lockHeadToWithdraw(tx, id, { customer: CUSTOMER_OF_RECEIPT }),
      tx.query<PurposeRow>(PURPOSES_OF_RECEIPT, [tx.appId, id]),
    ]);
}

interface PurposeRow {
  purpose: number;
}

/** The purposes to revoke, which must be on the receipt. All of the receipt's when none are named. */
function purposesToRevoke(
  rows: readonly PurposeRow[],
  asked: readonly Purpose[] | null | undefined,
): Purpose[] {
  const onReceipt = rows.map(({ purpose }) => purposeAt(purpose));
  if (!asked) return onReceipt;
  const problems = asked.flatMap((purpose, index) =>
    onReceipt.includes(purpose)
      ? []
      : [
          {
            code: 'purpose_not_on_receipt',
            message: `${purpose} is not on this receipt`,
            field: `purposes[${index}]`,
          },
        ],
  );
  if (problems.length > 0) throw validationFailed(problems);
  return [...new Set(asked)];
}

/**
 * A purpose keeps the time of its first revocation. The time of the receipt is that of its last open purpose.
 */
function closeOnReceipt(
  tx: Transaction,
  { appId, now }: CommandContext,
  id: string,
  purposes: readonly Purpose[],
  { reason, note }: RevokeConsentReceiptInput,
): void {
  tx.send(
    `UPDATE consent_receipt_purposes SET revoked_at = $3
     WHERE app_id = $1 AND receipt_id = $2 AND purpose = ANY ($4) AND revoked_at IS NULL`,
    [appId, id, now, purposes.map((purpose) => PLACE_OF[purpose])],
  );
  tx.send(
    `UPDATE consent_receipts r SET revocation_reason = $4, revocation_note = $5,
       revoked_at = CASE WHEN EXISTS (
         SELECT FROM consent_receipt_purposes p WHERE p.app_id = $1 AND p.receipt_id = $2
           AND p.revoked_at IS NULL)
       THEN NULL ELSE coalesce(r.revoked_at, $3) END
     WHERE r.app_id = $1 AND r.receipt_id = $2`,
    [appId, id, now, reason ?? 'other', note ?? null],
  );
}

function closeForCustomer(
  tx: Transaction,
  { appId, now }: CommandContext,
  customerId: string,
  purposes: readonly Purpose[],
  state: ConsentState,
): void {
  tx.send(
    `WITH head AS (
       UPDATE customer_heads SET granted_mask = $3, changed_at = $4 WHERE app_id = $1 AND customer_id = $2)
     UPDATE customer_consents SET status = 'revoked', revoked_at = $4 WHERE app_id = $1 AND customer_id = $2
       AND purpose = ANY ($5)`,
    [appId, customerId, state.grantedMask, now, purposes.map((purpose) => PLACE_OF[purpose])],
  );
}

interface Revocation {
  id: string;
  customerId: string;
  purposes: Purpose[];
  workflowId: string;
  epochs: readonly number[];
  reason: string;
  decidedBy: LedgerRecord['decided_by'];
}

function reportRevocation(tx: Transaction, { now }: CommandContext, revocation: Revocation): void {
  const { id, customerId, purposes, workflowId, epochs, reason, decidedBy } = revocation;
  const revokedAt = now.toISOString();
  announce(tx, {
    type: 'consent.revoked',
    data: {
      receipt_id: id,
      customer_id: customerId,
      purposes,
      revoked_at: revokedAt,
      workflow_id: workflowId,
    },
    customerId,
    purposes,
    epochs,
    at: now,
  });
  const record = {
    action: 'revoked',
    customer_id: customerId,
    receipt_id: id,
    purposes,
    reason,
    ...(decidedBy === undefined ? {} : { decided_by: decidedBy }),
    decided_at: revokedAt,
  } as const;
  appendToLedger(
    tx,
    record,
    purposes.map((purpose) => epochs[PLACE_OF[purpose]] ?? 0),
  );
}

const CUSTOMER_OF_RECEIPT = `(SELECT customer_id FROM consent_receipts WHERE app_id = $1 AND receipt_id = $2)`;

const PURPOSES_OF_RECEIPT = `
  SELECT purpose FROM consent_receipt_purposes WHERE app_id = $1 AND receipt_id = $2 ORDER BY position`;
