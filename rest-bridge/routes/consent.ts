import { pageOf } from '../Route.js';
import type { Route } from '../Route.js';

const PURPOSES = 'purposes { purpose status grantedAt revokedAt }';

const RECEIPT = `id appId customerId ${PURPOSES} termsVersion privacyPolicyVersion
  status grantedAt revokedAt`;

export const consentRoutes: readonly Route[] = [
  {
    operation: 'createConsentReceipt',
    method: 'POST',
    path: '/v1/consent-receipts',
    success: 201,
    location: '/v1/consent-receipts/{id}',
    summary: 'Record consent',
    select: RECEIPT,
  },
  {
    operation: 'listConsentReceipts',
    method: 'GET',
    path: '/v1/consent-receipts',
    summary: 'List consent receipts',
    field: 'consentReceipts',
    select: pageOf(RECEIPT),
  },
  {
    operation: 'getConsentReceipt',
    method: 'GET',
    path: '/v1/consent-receipts/:receipt_id',
    summary: 'Read a consent receipt',
    field: 'consentReceipt',
    select: RECEIPT,
  },
  {
    operation: 'revokeConsentReceipt',
    method: 'POST',
    path: '/v1/consent-receipts/:receipt_id/revoke',
    success: 202,
    location: '{status_url}',
    optionalBody: true,
    summary: 'Withdraw purposes of a receipt',
    select: 'workflowId status acceptedAt statusUrl',
  },
  {
    operation: 'getEffectiveConsent',
    method: 'GET',
    path: '/v1/customers/:customer_id/effective-consent',
    summary: "Read a customer's effective consent",
    field: 'effectiveConsent',
    select: `customerId ${PURPOSES} evaluatedAt latestReceiptId`,
  },
];
