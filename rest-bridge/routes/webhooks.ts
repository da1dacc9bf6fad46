import { PAGINATION } from '../Route.js';
import type { Route } from '../Route.js';

const WITH_SECRET = `endpoint { ...WebhookEndpoint } signing_secret: signingSecret`;

const DELIVERY = `id event_type: eventType status error_code: errorCode sequence
  attempts { attempt started_at: startedAt duration_ms: durationMs status_code: statusCode error_code: errorCode response_body: responseBody }
  next_attempt_at: nextAttemptAt workflow_id: workflowId created_at: createdAt`;

const ACCEPTED = `delivery_id: deliveryId workflow_id: workflowId`;

export const webhookRoutes: readonly Route[] = [
  {
    operation: 'registerWebhookEndpoint',
    method: 'POST',
    path: '/v1/webhook-endpoints',
    success: 201,
    location: '/v1/webhook-endpoints/{endpoint.id}',
    summary: 'Register a receiver of webhooks',
    document: `mutation registerWebhookEndpoint($idempotency_key: String!,
      $input: RegisterWebhookEndpointInput!) {
      result: registerWebhookEndpoint(idempotencyKey: $idempotency_key, input: $input) { ${WITH_SECRET} } }`,
  },
  {
    operation: 'listWebhookEndpoints',
    method: 'GET',
    path: '/v1/webhook-endpoints',
    success: 200,
    summary: 'List receivers of webhooks',
    document: `query listWebhookEndpoints($limit: Int, $cursor: String) {
      result: webhookEndpoints(first: $limit, after: $cursor) {
        data: nodes { ...WebhookEndpoint } ${PAGINATION} } }`,
  },
  {
    operation: 'getWebhookEndpoint',
    method: 'GET',
    path: '/v1/webhook-endpoints/:endpoint_id',
    success: 200,
    summary: 'Read a receiver of webhooks',
    document: `query getWebhookEndpoint($endpoint_id: ID!) {
      result: webhookEndpoint(id: $endpoint_id) { ...WebhookEndpoint } }`,
  },
  {
    operation: 'updateWebhookEndpoint',
    method: 'PATCH',
    path: '/v1/webhook-endpoints/:endpoint_id',
    success: 200,
    summary: 'Change a receiver of webhooks, enable or disable it',
    document: `mutation updateWebhookEndpoint($endpoint_id: ID!, $idempotency_key: String!,
      $input: UpdateWebhookEndpointInput!) {
      result: updateWebhookEndpoint(id: $endpoint_id, idempotencyKey: $idempotency_key, input: $input) {
        ...WebhookEndpoint } }`,
  },
  {
    operation: 'deleteWebhookEndpoint',
    method: 'DELETE',
    path: '/v1/webhook-endpoints/:endpoint_id',
    success: 204,
    summary: 'Remove a receiver of webhooks with its deliveries',
    document: `mutation deleteWebhookEndpoint($endpoint_id: ID!, $idempotency_key: String!) {
      result: deleteWebhookEndpoint(id: $endpoint_id, idempotencyKey: $idempotency_key) { id } }`,
  },
  {
    operation: 'rotateWebhookSecret',
    method: 'POST',
    path: '/v1/webhook-endpoints/:endpoint_id/rotate-secret',
    success: 200,
    summary: 'Give a receiver a new signing secret; the old one signs too for 24 hours',
    document: `mutation rotateWebhookSecret($endpoint_id: ID!, $idempotency_key: String!) {
      result: rotateWebhookSecret(id: $endpoint_id, idempotencyKey: $idempotency_key) { ${WITH_SECRET} } }`,
  },
  {
    operation: 'testWebhookEndpoint',
    method: 'POST',
    path: '/v1/webhook-endpoints/:endpoint_id/test',
    success: 202,
    location: '/v1/workflows/{workflow_id}',
    summary: 'Send webhook.test to a receiver',
    document: `mutation testWebhookEndpoint($endpoint_id: ID!, $idempotency_key: String!) {
      result: testWebhookEndpoint(id: $endpoint_id, idempotencyKey: $idempotency_key) { ${ACCEPTED} } }`,
  },
  {
    operation: 'recoverWebhooks',
    method: 'POST',
    path: '/v1/webhook-endpoints/:endpoint_id/recover',
    success: 202,
    summary: 'Send again all that failed since a time',
    document: `mutation recoverWebhooks($endpoint_id: ID!, $idempotency_key: String!,
      $input: RecoverWebhooksInput!) {
      result: recoverWebhooks(id: $endpoint_id, idempotencyKey: $idempotency_key, input: $input) {
        recovered has_more: hasMore } }`,
  },
  {
    operation: 'listWebhookDeliveries',
    method: 'GET',
    path: '/v1/webhook-endpoints/:endpoint_id/deliveries',
    success: 200,
    summary: "List a receiver's deliveries with their attempts",
    document: `query listWebhookDeliveries($endpoint_id: ID!, $status: WebhookDeliveryStatus, $limit: Int,
      $cursor: String) {
      result: webhookDeliveries(endpointId: $endpoint_id, status: $status, first: $limit, after: $cursor) {
        data: nodes { ${DELIVERY} } ${PAGINATION} } }`,
  },
  {
    operation: 'redeliverWebhook',
    method: 'POST',
    path: '/v1/webhook-endpoints/:endpoint_id/deliveries/:delivery_id/redeliver',
    success: 202,
    location: '/v1/workflows/{workflow_id}',
    summary: 'Send a delivery again under the same webhook-id',
    document: `mutation redeliverWebhook($endpoint_id: ID!, $delivery_id: ID!, $idempotency_key: String!) {
      result: redeliverWebhook(id: $endpoint_id, deliveryId: $delivery_id, idempotencyKey: $idempotency_key) {
        ${ACCEPTED} } }`,
  },
  {
    operation: 'listWebhookEventTypes',
    method: 'GET',
    path: '/v1/webhook-event-types',
    success: 200,
    summary: 'List the event types of webhooks with their JSON Schemas',
    document: `query listWebhookEventTypes($limit: Int, $cursor: String) {
      result: webhookEventTypes(first: $limit, after: $cursor) {
        data: nodes { type description schema } ${PAGINATION} } }`,
  },
];
