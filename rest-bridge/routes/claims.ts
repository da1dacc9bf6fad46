import { BATCH_BODY_LIMIT } from '../Route.js';
import type { Route } from '../Route.js';
import { ITEM_ERROR } from './itemError.js';

const ACCEPTED = 'claimId status sequence workflowId statusUrl';

export const claimRoutes: readonly Route[] = [
  {
    operation: 'ingestClaim',
    method: 'POST',
    path: '/v1/claims',
    success: 202,
    location: '{status_url}',
    summary: 'Send a claim',
    select: ACCEPTED,
  },
  {
    operation: 'ingestClaims',
    method: 'POST',
    path: '/v1/claims/batch',
    success: 202,
    bodyLimit: BATCH_BODY_LIMIT,
    summary: 'Send up to 500 claims',
    select: `accepted rejected data { index ${ACCEPTED} ${ITEM_ERROR} }`,
  },
];
