import { PAGINATION } from '../Route.js';
import type { Route } from '../Route.js';

const PURPOSES = 'purposes { purpose status granted_at: grantedAt revoked_at: revokedAt }';

const RECEIPT = `id app_id: appId customer_id: customerId ${PURPOSES} terms_version: termsVersion
  privacy_policy_version: privacyPolicyVersion status granted_at: grantedAt revoked_at: revokedAt`;

export const consentRoutes: readonly Route[] = [
  {
    operation: 'createConsentReceipt',
    method: 'POST',
    path: '/v1/consent-receipts',
    success: 201,
    location: '/v1/consent-receipts/{id}',
    summary: 'Record consent',
    document: `mutation createConsentReceipt($idempotency_key: String!, $input: CreateConsentReceiptInput!) {
      result: createConsentReceipt(idempotencyKey: $idempotency_key, input: $input) { ${RECEIPT} } }`,
  },
  {
    operation: 'listConsentReceipts',
    method: 'GET',
    path: '/v1/consent-receipts',
    success: 200,
    summary: 'List consent receipts',
    document: `query listConsentReceipts($customer_id: ID, $limit: Int, $cursor: String) {
      result: consentReceipts(customerId: $customer_id, first: $limit, after: $cursor) {
        data: nodes { ${RECEIPT} } ${PAGINATION} } }`,
  },
  {
    operation: 'getConsentReceipt',
    method: 'GET',
    path: '/v1/consent-receipts/:receipt_id',
    success: 200,
    summary: 'Read a consent receipt',
    document: `query getConsentReceipt($receipt_id: ID!) {
      result: consentReceipt(id: $receipt_id) { ${RECEIPT} } }`,
  },
  {
    operation: 'revokeConsentReceipt',
    method: 'POST',
    path: '/v1/consent-receipts/:receipt_id/revoke',
    success: 202,
    location: '{status_url}',
    optionalBody: true,
    summary: 'Withdraw purposes of a receipt',
    document: `mutation revokeConsentReceipt($receipt_id: ID!, $idempotency_key: String!,
      $input: RevokeConsentReceiptInput) {
      result: revokeConsentReceipt(id: $receipt_id, idempotencyKey: $idempotency_key, input: $input) {
        workflow_id: workflowId status accepted_at: acceptedAt status_url: statusUrl } }`,
  },
  {
    operation: 'getEffectiveConsent',
    method: 'GET',
    path: '/v1/customers/:customer_id/effective-consent',
    success: 200,
    summary: "Read a customer's effective consent",
    document: `query getEffectiveConsent($customer_id: ID!) {
      result: effectiveConsent(customerId: $customer_id) {
        customer_id: customerId ${PURPOSES} evaluated_at: evaluatedAt latest_receipt_id: latestReceiptId } }`,
  },
];
