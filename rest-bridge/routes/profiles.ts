import { pageOf } from '../Route.js';
import type { Route } from '../Route.js';

const CLAIM = `id customerId attribute value source observedAt context consentPurpose confidence
  provenance { sourcePartner collectedAt sourceSystem evidenceUrl }`;

export const profileRoutes: readonly Route[] = [
  {
    operation: 'getProfile',
    method: 'GET',
    path: '/v1/profiles/:customer_id',
    summary: 'Read a resolved profile',
    field: 'resolvedProfile',
    select: `customerId facts { attribute resolvedValue confidence resolutionMethod consentPurpose
      evidence { ${CLAIM} } alternatives { value confidence reason } } resolvedAt`,
  },
  {
    operation: 'listClaims',
    method: 'GET',
    path: '/v1/profiles/:customer_id/claims',
    summary: 'List claims as they were observed',
    field: 'claims',
    select: pageOf(CLAIM),
  },
  {
    operation: 'listIntents',
    method: 'GET',
    path: '/v1/profiles/:customer_id/intents',
    summary: "List what a customer's events say",
    field: 'intents',
    select: pageOf(`id category object confidence consentPurpose evidence { ${CLAIM} }`),
  },
];
