import { hash } from 'node:crypto';
import type { CreateConsentReceiptInput } from '../../schema/inputs/ConsentInput.js';
import type { ConsentReceipt } from '../../schema/types/Consent.js';
import type { GateHead } from '../access/consentGate.js';
import { announceAll } from '../database/outbox.js';
import { textArray } from '../database/textArray.js';
import type { Transaction } from '../database/Transaction.js';
import { grantPurposes } from '../domain/consent.js';
import type { ConsentState } from '../domain/consent.js';
import { newId } from '../domain/ids.js';
import { PLACE_OF } from '../domain/purposes.js';
import type { Purpose } from '../domain/purposes.js';
import type { StoredSession } from '../domain/connectionSession.js';
import type { WebhookMessage } from '../domain/webhooks/WebhookMessage.js';
import { canonicalJson } from '../domain/canonicalJson.js';
import { ServiceError, validationFailed } from '../errors.js';
import { appendToLedger } from './appendToLedger.js';
import type { CommandContext } from './CommandContext.js';
import { decisionTime, lockHeadsOf } from './customerHead.js';
import type { CustomerHead, Heads } from './customerHead.js';
import { purposeProblems, unknownCustomer } from './inputProblems.js';
import { refusalsOf } from './refusalsOf.js';
import type { GroupedOperation } from './runGrouped.js';
import { moveConnectionSession } from './moveConnectionSession.js';
import { toReceipt } from '../../entities/ConsentReceiptEntity.js';
import { approvalProblems, lockSessionFor, requireAuthorized, sessionProblems } from './sessionForReceipt.js';

/** The grant of an accepted receipt. */
interface Grant {
  receiptId: string;
  input: CreateConsentReceiptInput;
  head: CustomerHead;
  purposes: readonly Purpose[];
  /** The customer's consent from now on. */
  state: ConsentState;
  /** The session that the receipt completes. */
  session: StoredSession | undefined;
}

/**
 * Records the purposes that persons granted, and opens them (docs/contract.md#consent). Each receipt is of
 * another customer.
 *
 * @returns the receipt or the refusal of each
 */
export async function createConsentReceipts(
  tx: Transaction,
  context: CommandContext,
  inputs: readonly CreateConsentReceiptInput[],
  locked: Heads,
): Promise<(ConsentReceipt | ServiceError)[]> {
  const decided = await refusalsOf(
    inputs.map((input) => decideGrant(tx, context, input, locked.get(input.customerId))),
  );
  const grants = decided.filter((one): one is Grant => !(one instanceof ServiceError));
  const heads = grants.map(({ head }) => head);
  const decidedNow = { ...context, now: decisionTime(heads, context.clock) };
  if (grants.length > 0) writeGrants(tx, decidedNow, grants);
  return decided.map((one) => (one instanceof ServiceError ? one : grantedReceipt(decidedNow, one)));
}

/** Receipts that share a transaction. One of a connection session locks that session too, and runs alone. */
export const CREATE_CONSENT_RECEIPT: GroupedOperation<CreateConsentReceiptInput, ConsentReceipt> = {
  name: 'receipt',
  subjectOf: ({ customerId, connectionSessionId }) => (connectionSessionId ? undefined : customerId),
  lock: lockHeadsOf,
  runAll: createConsentReceipts,
  customerOf: ({ customerId }) => customerId,
};

/** @throws ServiceError with the reason why the receipt is refused */
async function decideGrant(
  tx: Transaction,
  context: CommandContext,
  input: CreateConsentReceiptInput,
  head: CustomerHead | undefined,
): Promise<Grant> {
  const purposes = [...new Set(input.purposes)];
  const session = await lockSessionFor(tx, context, input);
  const unknown = [...(head === undefined ? [unknownCustomer()] : []), ...sessionProblems(session, input)];
  const problems = [
    ...unknown,
    ...purposeProblems(head ?? (await readAllowed(tx)), input.purposes, 'purposes'),
    ...approvalProblems(session, input.purposes),
  ];
  if (head === undefined || unknown.length > 0) throw validationFailed(problems);
  const authorized = session && requireAuthorized(session, purposes);
  if (problems.length > 0) throw validationFailed(problems);
  const state = grantPurposes({ grantedMask: head.granted_mask, epochs: head.epochs }, purposes);
  return { receiptId: newId('rcp'), input, head, purposes, state, session: authorized };
}

function writeGrants(tx: Transaction, context: CommandContext, grants: readonly Grant[]): void {
  const granted = grantedPurposes(grants);
  insertReceipts(tx, context, grants, granted);
  openPurposes(tx, context, grants, granted);
  for (const { session, receiptId } of grants)
    if (session) moveConnectionSession(tx, session, 'completed', { consent_receipt_id: receiptId });
  announceAll(
    tx,
    grants.map((grant) => grantedMessage(context, grant)),
  );
  for (const grant of grants) appendToLedger(tx, ledgerRecord(context, grant));
}

function grantedMessage(
  { now }: CommandContext,
  { receiptId, input, purposes, state }: Grant,
): WebhookMessage {
  const { customerId } = input;
  return {
    type: 'consent.granted',
    data: { receipt_id: receiptId, customer_id: customerId, purposes, granted_at: now.toISOString() },
    customerId,
    purposes,
    epochs: state.epochs,
    at: now,
  };
}

/** For an unknown customer: the refusal also names the purposes that the app may not use. */
async function readAllowed(tx: Transaction): Promise<Pick<GateHead, 'allowed_mask'>> {
  const app = await tx.one<Pick<GateHead, 'allowed_mask'>>(
    'SELECT allowed_mask FROM apps WHERE app_id = $1',
    [tx.appId],
  );
  if (app === undefined) throw new Error('The app is gone.');
  return app;
}

function insertReceipts(
  tx: Transaction,
  { appId, now }: CommandContext,
  grants: readonly Grant[],
  { receiptIds, places, positions }: GrantedPurposes,
): void {
  const column = (pick: (grant: Grant) => string | null): (string | null)[] => grants.map(pick);
  tx.send(INSERT_RECEIPTS, [
    appId,
    now,
    column(({ receiptId }) => receiptId),
    column(({ input }) => input.customerId),
    column(({ input }) => input.termsVersion ?? null),
    column(({ input }) => input.privacyPolicyVersion ?? null),
    column(({ input }) => input.connectionSessionId ?? null),
    textArray(column(({ input }) => (input.evidence ? JSON.stringify(input.evidence) : null))),
    receiptIds,
    places,
    positions,
  ]);
}

function openPurposes(
  tx: Transaction,
  { appId, now }: CommandContext,
  grants: readonly Grant[],
  { customerIds, places }: GrantedPurposes,
): void {
  tx.send(OPEN_PURPOSES, [
    appId,
    now,
    grants.map(({ input }) => input.customerId),
    grants.map(({ receiptId }) => receiptId),
    grants.map(({ state }) => state.grantedMask),
    grants.map(({ state }) => state.epochs.join(',')),
    customerIds,
    places,
  ]);
}

/** Each purpose of each receipt, in columns. */
interface GrantedPurposes {
  receiptIds: string[];
  customerIds: string[];
  places: number[];
  positions: number[];
}

function grantedPurposes(grants: readonly Grant[]): GrantedPurposes {
  const all = grants.flatMap(({ receiptId, input: { customerId }, purposes }) =>
    purposes.map((purpose, at) => ({
      receiptId,
      customerId,
      place: PLACE_OF[purpose],
      position: at + 1,
    })),
  );
  return {
    receiptIds: all.map(({ receiptId }) => receiptId),
    customerIds: all.map(({ customerId }) => customerId),
    places: all.map(({ place }) => place),
    positions: all.map(({ position }) => position),
  };
}

function ledgerRecord(
  { now }: CommandContext,
  { receiptId, input, purposes }: Grant,
): Parameters<typeof appendToLedger>[1] {
  return {
    action: 'granted',
    customer_id: input.customerId,
    receipt_id: receiptId,
    purposes,
    decided_by: input.connectionSessionId ? 'person' : 'partner',
    ...(input.termsVersion ? { terms_version: input.termsVersion } : {}),
    ...(input.privacyPolicyVersion ? { privacy_policy_version: input.privacyPolicyVersion } : {}),
    ...(input.evidence ? { evidence_hash: hash('sha256', canonicalJson(input.evidence), 'hex') } : {}),
    decided_at: now.toISOString(),
  };
}

function grantedReceipt(
  { appId, now }: CommandContext,
  { receiptId, input, purposes }: Grant,
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
      purpose: PLACE_OF[purpose],
      granted_at: at,
      revoked_at: null,
    })),
  });
}

const INSERT_RECEIPTS = `
  WITH receipt AS (
    INSERT INTO consent_receipts (app_id, receipt_id, customer_id, terms_version, privacy_policy_version,
      connection_session_id, evidence, granted_at)
    SELECT $1, receipt_id, customer_id, terms_version, privacy_policy_version, connection_session_id,
           evidence::jsonb, $2
      FROM unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[])
           AS given (receipt_id, customer_id, terms_version, privacy_policy_version, connection_session_id,
             evidence)
    RETURNING 1)
  INSERT INTO consent_receipt_purposes (app_id, receipt_id, purpose, position, granted_at)
  SELECT $1, receipt_id, purpose, position, $2
    FROM unnest($9::text[], $10::smallint[], $11::smallint[]) AS given (receipt_id, purpose, position)
  RETURNING 1`;

// Not `epochs::integer[]`: Citus (13.2.2) refuses the STABLE function behind that cast in an UPDATE.
const OPEN_PURPOSES = `
  WITH head AS (
    UPDATE customer_heads h SET granted_mask = given.granted_mask,
      epochs = string_to_array(given.epochs, ',')::integer[], latest_receipt_id = given.receipt_id,
      changed_at = $2
      FROM unnest($3::text[], $4::text[], $5::integer[], $6::text[])
           AS given (customer_id, receipt_id, granted_mask, epochs)
     WHERE h.app_id = $1 AND h.customer_id = ANY ($3::text[]) AND h.customer_id = given.customer_id)
  INSERT INTO customer_consents (app_id, customer_id, purpose, status, granted_at)
  SELECT $1, customer_id, purpose, 'granted', $2
    FROM unnest($7::text[], $8::smallint[]) AS given (customer_id, purpose)
  ON CONFLICT (app_id, customer_id, purpose) DO UPDATE SET status = 'granted',
    granted_at = excluded.granted_at, revoked_at = NULL`;
