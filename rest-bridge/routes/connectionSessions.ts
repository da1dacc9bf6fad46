import { PAGINATION } from '../Route.js';
import type { Route } from '../Route.js';

export const connectionSessionRoutes: readonly Route[] = [
  {
    operation: 'createConnectionSession',
    method: 'POST',
    path: '/v1/connection-sessions',
    success: 201,
    location: '/v1/connection-sessions/{session.id}',
    summary: 'Begin a connection session',
    document: `mutation createConnectionSession($idempotency_key: String!,
      $input: CreateConnectionSessionInput!) {
      result: createConnectionSession(idempotencyKey: $idempotency_key, input: $input) {
        session { ...ConnectionSession } client_token: clientToken connection_url: connectionUrl } }`,
  },
  {
    operation: 'listConnectionSessions',
    method: 'GET',
    path: '/v1/connection-sessions',
    success: 200,
    summary: 'List connection sessions',
    document: `query listConnectionSessions($customer_id: ID, $status: ConnectionSessionStatus,
      $order: ListOrder, $limit: Int, $cursor: String) {
      result: connectionSessions(customerId: $customer_id, status: $status, order: $order, first: $limit,
        after: $cursor) {
        data: nodes { ...ConnectionSession } ${PAGINATION} } }`,
  },
  {
    operation: 'getConnectionSession',
    method: 'GET',
    path: '/v1/connection-sessions/:session_id',
    success: 200,
    summary: 'Read a connection session',
    document: `query getConnectionSession($session_id: ID!) {
      result: connectionSession(id: $session_id) { ...ConnectionSession } }`,
  },
  {
    operation: 'cancelConnectionSession',
    method: 'DELETE',
    path: '/v1/connection-sessions/:session_id',
    success: 200,
    summary: 'Cancel a connection session',
    document: `mutation cancelConnectionSession($session_id: ID!, $idempotency_key: String!) {
      result: cancelConnectionSession(id: $session_id, idempotencyKey: $idempotency_key) {
        ...ConnectionSession } }`,
  },
];
