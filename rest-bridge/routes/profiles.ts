import { PAGINATION } from '../Route.js';
import type { Route } from '../Route.js';

export const CLAIM = `id customer_id: customerId attribute value source observed_at: observedAt context consent_purpose: consentPurpose confidence
  provenance { source_partner: sourcePartner collected_at: collectedAt source_system: sourceSystem evidence_url: evidenceUrl }`;

export const profileRoutes: readonly Route[] = [
  {
    operation: 'getProfile',
    method: 'GET',
    path: '/v1/profiles/:customer_id',
    success: 200,
    summary: 'Read a resolved profile',
    document: `query getProfile($customer_id: ID!, $consent_purpose: ConsentPurpose) {
      result: resolvedProfile(customerId: $customer_id, consentPurpose: $consent_purpose) {
        customer_id: customerId
        facts {
          attribute resolved_value: resolvedValue confidence resolution_method: resolutionMethod
          consent_purpose: consentPurpose
          evidence { ${CLAIM} } alternatives { value confidence reason } }
        resolved_at: resolvedAt } }`,
  },
  {
    operation: 'listClaims',
    method: 'GET',
    path: '/v1/profiles/:customer_id/claims',
    success: 200,
    summary: 'List claims as they were observed',
    document: `query listClaims($customer_id: ID!, $consent_purpose: ConsentPurpose, $limit: Int,
      $cursor: String) {
      result: claims(customerId: $customer_id, consentPurpose: $consent_purpose, first: $limit,
        after: $cursor) {
        data: nodes { ${CLAIM} } ${PAGINATION} } }`,
  },
  {
    operation: 'listIntents',
    method: 'GET',
    path: '/v1/profiles/:customer_id/intents',
    success: 200,
    summary: "List what a customer's events say",
    document: `query listIntents($customer_id: ID!, $consent_purpose: ConsentPurpose,
      $category: IntentCategory, $limit: Int, $cursor: String) {
      result: intents(customerId: $customer_id, consentPurpose: $consent_purpose, category: $category,
        first: $limit, after: $cursor) {
        data: nodes { id category object confidence consent_purpose: consentPurpose evidence {
          ${CLAIM} } } ${PAGINATION} } }`,
  },
];
