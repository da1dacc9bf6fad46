import { BATCH_BODY_LIMIT } from '../Route.js';
import type { Route } from '../Route.js';
import { ITEM_ERROR } from './itemError.js';

const ACCEPTED = 'claim_id: claimId status sequence workflow_id: workflowId status_url: statusUrl';

export const claimRoutes: readonly Route[] = [
  {
    operation: 'ingestClaim',
    method: 'POST',
    path: '/v1/claims',
    success: 202,
    location: '{status_url}',
    summary: 'Send a claim',
    document: `mutation ingestClaim($idempotency_key: String!, $input: IngestClaimInput!) {
      result: ingestClaim(idempotencyKey: $idempotency_key, input: $input) { ${ACCEPTED} } }`,
  },
  {
    operation: 'ingestClaims',
    method: 'POST',
    path: '/v1/claims/batch',
    success: 202,
    bodyLimit: BATCH_BODY_LIMIT,
    summary: 'Send up to 500 claims',
    document: `mutation ingestClaims($idempotency_key: String!, $input: IngestClaimsInput!) {
      result: ingestClaims(idempotencyKey: $idempotency_key, input: $input) {
        accepted rejected data { index ${ACCEPTED} ${ITEM_ERROR} } } }`,
  },
];
