import { PAGINATION } from '../Route.js';
import type { Route } from '../Route.js';

const SESSION = `id app_id: appId customer_id: customerId status requested_purposes: requestedPurposes
  approved_purposes: approvedPurposes expires_at: expiresAt created_at: createdAt consent_receipt_id: consentReceiptId service_user_id: serviceUserId`;

export const connectionSessionRoutes: readonly Route[] = [
  {
    operation: 'createConnectionSession',
    method: 'POST',
    path: '/v1/connection-sessions',
    success: 201,
    location: '/v1/connection-sessions/{session.id}',
    summary: 'Begin a connection session',
    document: `mutation createConnectionSession($idempotency_key: String!, $input: CreateConnectionSessionInput!) {
      result: createConnectionSession(idempotencyKey: $idempotency_key, input: $input) {
        session { ${SESSION} } client_token: clientToken connection_url: connectionUrl } }`,
  },
  {
    operation: 'listConnectionSessions',
    method: 'GET',
    path: '/v1/connection-sessions',
    success: 200,
    summary: 'List connection sessions',
    document: `query listConnectionSessions($customer_id: ID, $status: ConnectionSessionStatus, $order: ListOrder, $limit: Int, $cursor: String) {
      result: connectionSessions(customerId: $customer_id, status: $status, order: $order, first: $limit, after: $cursor) {
        data: nodes { ${SESSION} } ${PAGINATION} } }`,
  },
  {
    operation: 'getConnectionSession',
    method: 'GET',
    path: '/v1/connection-sessions/:session_id',
    success: 200,
    summary: 'Read a connection session',
    document: `query getConnectionSession($session_id: ID!) { result: connectionSession(id: $session_id) { ${SESSION} } }`,
  },
  {
    operation: 'cancelConnectionSession',
    method: 'DELETE',
    path: '/v1/connection-sessions/:session_id',
    success: 200,
    summary: 'Cancel a connection session',
    document: `mutation cancelConnectionSession($session_id: ID!, $idempotency_key: String!) {
      result: cancelConnectionSession(id: $session_id, idempotencyKey: $idempotency_key) { ${SESSION} } }`,
  },
];
