import type { IngestClaimInput, IngestClaimsInput } from '../../schema/inputs/ClaimInput.js';
import type { IngestClaimPayload, IngestClaimsPayload } from '../../schema/types/Claim.js';
import type { Transaction } from '../database/Transaction.js';
import { conflict, ServiceError, validationFailed } from '../errors.js';
import { acceptItems } from './acceptItems.js';
import type { Acceptance, InboxItem, Refusal } from './acceptItems.js';
import { acceptBatch } from './acceptBatch.js';
import type { CommandContext } from './CommandContext.js';
import { lockHeadsOf } from './customerHead.js';
import type { GroupedOperation } from './runGrouped.js';
import { workflowUrl } from './insertWorkflow.js';

/**
 * Accepts single claims. They are durable and ordered when the transaction commits, and applied soon after.
 */
export const INGEST_CLAIM: GroupedOperation<IngestClaimInput, IngestClaimPayload> = {
  name: 'claim',
  subjectOf: ({ customerId }) => customerId,
  lock: lockHeadsOf,
  runAll: async (tx, context, inputs, heads) => {
    const outcomes = await acceptItems(tx, context, 'claim', inputs.map(toItem), heads);
    return outcomes.map((outcome, at) => {
      if (outcome.accepted) return accepted(outcome);
      return refusalError(outcome, inputs[at] as IngestClaimInput);
    });
  },
};

/** Accepts up to 500 claims, each on its own. */
export async function ingestClaims(
  tx: Transaction,
  context: CommandContext,
  input: IngestClaimsInput,
): Promise<IngestClaimsPayload> {
  return acceptBatch(tx, context, 'claim', input.claims, toItem, accepted);
}

function accepted({ id, sequence, workflowId }: Acceptance): IngestClaimPayload {
  if (workflowId === null) throw new Error('A claim was accepted without a workflow.');
  return { claimId: id, status: 'accepted', sequence, workflowId, statusUrl: workflowUrl(workflowId) };
}

function toItem(input: IngestClaimInput): InboxItem {
  const { customerId, consentPurpose: purpose } = input;
  return { customerId, purpose, payload: payloadOf(input) };
}

type Payload = Omit<IngestClaimInput, 'customerId' | 'consentPurpose'>;

/** The value is not changed. In the other members null and absent mean the same. */
function payloadOf({
  attribute,
  value,
  source,
  observedAt,
  context,
  confidence,
  provenance,
}: Payload): object {
  const { sourcePartner, collectedAt, sourceSystem, evidenceUrl } = provenance;
  return {
    attribute,
    value,
    source,
    observedAt,
    context: context ?? undefined,
    confidence,
    provenance: {
      sourcePartner,
      collectedAt,
      sourceSystem: sourceSystem ?? undefined,
      evidenceUrl: evidenceUrl ?? undefined,
    } satisfies Record<keyof Payload['provenance'], unknown>,
  } satisfies Record<keyof Payload, unknown>;
}

export function refusalError(refusal: Refusal, { consentPurpose }: { consentPurpose: string }): ServiceError {
  if (refusal.code === 'validation_failed') return validationFailed(refusal.details ?? []);
  if (refusal.code === 'conflict') return conflict(refusal.message, ...(refusal.details ?? []));
  return new ServiceError(refusal.code, refusal.message, { purpose: consentPurpose });
}
