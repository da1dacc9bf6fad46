import { createHash } from 'node:crypto';
import type { CreateConsentReceiptInput } from '../../schema/inputs/ConsentInput.js';
import type { ConsentReceipt } from '../../schema/types/Consent.js';
import { shutBy } from '../access/consentGate.js';
import type { GateHead } from '../access/consentGate.js';
import { announce } from '../database/outbox.js';
import type { Transaction } from '../database/Transaction.js';
import { grantPurposes } from '../domain/consent.js';
import type { ConsentState } from '../domain/consent.js';
import { newId } from '../domain/ids.js';
import { purposeIndex } from '../domain/purposes.js';
import type { Purpose } from '../domain/purposes.js';
import { canonicalJson } from '../domain/resolution/canonicalJson.js';
import { validationFailed } from '../errors.js';
import type { ErrorDetail } from '../errors.js';
import { appendToLedger } from './appendToLedger.js';
import type { CommandContext } from './CommandContext.js';
import { lockHead } from './customerHead.js';
import type { CustomerHead } from './customerHead.js';
import { refusalsOf } from './refusalsOf.js';
import type { GroupedOperation } from './runGrouped.js';
import { moveConnectionSession } from './moveConnectionSession.js';
import { toReceipt } from '../../entities/ConsentReceiptEntity.js';
import { approvalProblems, lockSessionFor, requireAuthorized, sessionProblems } from './sessionForReceipt.js';

/** Records the purposes that a person granted, and opens them (docs/contract.md#consent). */
export async function createConsentReceipt(
  tx: Transaction,
  context: CommandContext,
  input: CreateConsentReceiptInput,
): Promise<ConsentReceipt> {
  const purposes = [...new Set(input.purposes)];
  const head = await lockHead(tx, input.customerId);
  const session = await lockSessionFor(tx, context, input);
  const unknown = [...customerProblems(head), ...sessionProblems(session, input)];
  if (head === undefined || unknown.length > 0)
    throw validationFailed([...unknown, ...purposeProblems(input.purposes, head ?? (await closedHead(tx)))]);
  const authorized = session && requireAuthorized(session, purposes);
  const problems = [
    ...purposeProblems(input.purposes, head),
    ...approvalProblems(authorized, input.purposes),
  ];
  if (problems.length > 0) throw validationFailed(problems);
  const receiptId = newId('rcp');
  const state = grantPurposes({ grantedMask: head.granted_mask, epochs: head.epochs }, purposes);
  insertReceipt(tx, context, receiptId, input, purposes);
  openPurposes(tx, context, receiptId, input.customerId, purposes, state);
  if (authorized) moveConnectionSession(tx, authorized, 'completed', { consent_receipt_id: receiptId });
  announce(tx, {
    type: 'consent.granted',
    data: {
      receipt_id: receiptId,
      customer_id: input.customerId,
      purposes,
      granted_at: context.now.toISOString(),
    },
    customerId: input.customerId,
    purposes,
    epochs: state.epochs,
    at: context.now,
  });
  appendToLedger(tx, ledgerRecord(context, receiptId, input, purposes));
  return grantedReceipt(context, receiptId, input, purposes);
}

/**
 * The same for several receipts. A receipt of a connection session locks that session too, and runs alone.
 */
export const RECEIPT: GroupedOperation<CreateConsentReceiptInput, ConsentReceipt> = {
  name: 'receipt',
  subjectOf: ({ customerId, connectionSessionId }) => (connectionSessionId ? undefined : customerId),
  locksHeads: true,
  runAll: (tx, context, inputs) =>
    refusalsOf(inputs.map((input) => createConsentReceipt(tx, context, input))),
  customerOf: ({ customerId }) => customerId,
};

function customerProblems(head: CustomerHead | undefined): ErrorDetail[] {
  return head === undefined
    ? [{ code: 'unknown_reference', message: 'is not a customer of this app', field: 'customer_id' }]
    : [];
}

/** What a customer whom nobody knows could be asked for: a refusal names the purposes that the app may not use too. */
async function closedHead(tx: Transaction): Promise<GateHead> {
  const [head] = await tx.query<GateHead & Record<string, unknown>>(
    "SELECT 0 AS granted_mask, '{}'::integer[] AS epochs, allowed_mask FROM apps WHERE app_id = $1",
    [tx.appId],
  );
  if (head === undefined) throw new Error('The app is gone.');
  return head;
}

function purposeProblems(purposes: readonly Purpose[], head: GateHead): ErrorDetail[] {
  return purposes.flatMap((purpose, index) =>
    shutBy(head, purposeIndex(purpose)) === 'purpose'
      ? [
          {
            code: 'purpose_not_allowed',
            message: `${purpose} is not among the app's allowed_consent_purposes`,
            field: `purposes[${index}]`,
          },
        ]
      : [],
  );
}

function insertReceipt(
  tx: Transaction,
  { appId, now }: CommandContext,
  receiptId: string,
  input: CreateConsentReceiptInput,
  purposes: readonly Purpose[],
): void {
  tx.send(
    `WITH receipt AS (
       INSERT INTO consent_receipts (app_id, receipt_id, customer_id, terms_version, privacy_policy_version,
         connection_session_id,
         evidence, granted_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8))
     INSERT INTO consent_receipt_purposes (app_id, receipt_id, purpose, position, granted_at)
     SELECT $1, $2, purpose, position, $8
       FROM unnest($9::smallint[]) WITH ORDINALITY AS given (purpose, position)
     RETURNING 1`,
    [
      appId,
      receiptId,
      input.customerId,
      input.termsVersion ?? null,
      input.privacyPolicyVersion ?? null,
      input.connectionSessionId ?? null,
      input.evidence ? JSON.stringify(input.evidence) : null,
      now,
      purposes.map(purposeIndex),
    ],
  );
}

function openPurposes(
  tx: Transaction,
  { appId, now }: CommandContext,
  receiptId: string,
  customerId: string,
  purposes: readonly Purpose[],
  state: ConsentState,
): void {
  tx.send(
    `WITH head AS (
       UPDATE customer_heads SET granted_mask = $3, epochs = $4, latest_receipt_id = $5, changed_at = $6
       WHERE app_id = $1 AND customer_id = $2)
     INSERT INTO customer_consents (app_id, customer_id, purpose, status, granted_at)
     SELECT $1, $2, purpose, 'granted', $6 FROM unnest($7::smallint[]) AS purpose
     ON CONFLICT (app_id, customer_id, purpose) DO UPDATE SET status = 'granted',
       granted_at = excluded.granted_at, revoked_at = NULL`,
    [appId, customerId, state.grantedMask, state.epochs, receiptId, now, purposes.map(purposeIndex)],
  );
}

function ledgerRecord(
  context: CommandContext,
  receiptId: string,
  input: CreateConsentReceiptInput,
  purposes: readonly Purpose[],
): Parameters<typeof appendToLedger>[1] {
  return {
    action: 'granted',
    customer_id: input.customerId,
    receipt_id: receiptId,
    purposes,
    decided_by: input.connectionSessionId ? 'person' : 'partner',
    ...(input.termsVersion ? { terms_version: input.termsVersion } : {}),
    ...(input.privacyPolicyVersion ? { privacy_policy_version: input.privacyPolicyVersion } : {}),
    ...(input.evidence
      ? { evidence_hash: createHash('sha256').update(canonicalJson(input.evidence)).digest('hex') }
      : {}),
    decided_at: context.now.toISOString(),
  };
}

function grantedReceipt(
  { appId, now }: CommandContext,
  receiptId: string,
  input: CreateConsentReceiptInput,
  purposes: readonly Purpose[],
): ConsentReceipt {
  const at = now.toISOString();
  return toReceipt({
    app_id: appId,
    receipt_id: receiptId,
    customer_id: input.customerId,
    terms_version: input.termsVersion ?? null,
    privacy_policy_version: input.privacyPolicyVersion ?? null,
    connection_session_id: input.connectionSessionId ?? null,
    evidence: input.evidence ?? null,
    granted_at: at,
    revoked_at: null,
    revocation_reason: null,
    revocation_note: null,
    purposes: purposes.map((purpose) => ({
      purpose: purposeIndex(purpose),
      granted_at: at,
      revoked_at: null,
    })),
  });
}
