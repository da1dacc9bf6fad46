import { pageOf } from '../Route.js';
import type { Route } from '../Route.js';

const WITH_SECRET = 'endpoint { ...WebhookEndpoint } signingSecret';

const DELIVERY = `id eventType status errorCode sequence
  attempts { attempt startedAt durationMs statusCode errorCode responseBody }
  nextAttemptAt workflowId createdAt`;

const ACCEPTED = 'deliveryId workflowId';

export const webhookRoutes: readonly Route[] = [
  {
    operation: 'registerWebhookEndpoint',
    method: 'POST',
    path: '/v1/webhook-endpoints',
    success: 201,
    location: '/v1/webhook-endpoints/{endpoint.id}',
    summary: 'Register a receiver of webhooks',
    select: WITH_SECRET,
  },
  {
    operation: 'listWebhookEndpoints',
    method: 'GET',
    path: '/v1/webhook-endpoints',
    summary: 'List receivers of webhooks',
    field: 'webhookEndpoints',
    select: pageOf('...WebhookEndpoint'),
  },
  {
    operation: 'getWebhookEndpoint',
    method: 'GET',
    path: '/v1/webhook-endpoints/:endpoint_id',
    summary: 'Read a receiver of webhooks',
    field: 'webhookEndpoint',
    select: '...WebhookEndpoint',
  },
  {
    operation: 'updateWebhookEndpoint',
    method: 'PATCH',
    path: '/v1/webhook-endpoints/:endpoint_id',
    summary: 'Change a receiver of webhooks, enable or disable it',
    select: '...WebhookEndpoint',
  },
  {
    operation: 'deleteWebhookEndpoint',
    method: 'DELETE',
    path: '/v1/webhook-endpoints/:endpoint_id',
    success: 204,
    summary: 'Remove a receiver of webhooks with its deliveries',
    select: 'id',
  },
  {
    operation: 'rotateWebhookSecret',
    method: 'POST',
    path: '/v1/webhook-endpoints/:endpoint_id/rotate-secret',
    summary: 'Give a receiver a new signing secret; the old one signs too for 24 hours',
    select: WITH_SECRET,
  },
  {
    operation: 'testWebhookEndpoint',
    method: 'POST',
    path: '/v1/webhook-endpoints/:endpoint_id/test',
    success: 202,
    location: '/v1/workflows/{workflow_id}',
    summary: 'Send webhook.test to a receiver',
    select: ACCEPTED,
  },
  {
    operation: 'recoverWebhooks',
    method: 'POST',
    path: '/v1/webhook-endpoints/:endpoint_id/recover',
    success: 202,
    summary: 'Send again all that failed since a time',
    select: 'recovered hasMore',
  },
  {
    operation: 'listWebhookDeliveries',
    method: 'GET',
    path: '/v1/webhook-endpoints/:endpoint_id/deliveries',
    summary: "List a receiver's deliveries with their attempts",
    field: 'webhookDeliveries',
    select: pageOf(DELIVERY),
  },
  {
    operation: 'redeliverWebhook',
    method: 'POST',
    path: '/v1/webhook-endpoints/:endpoint_id/deliveries/:delivery_id/redeliver',
    success: 202,
    location: '/v1/workflows/{workflow_id}',
    summary: 'Send a delivery again under the same webhook-id',
    select: ACCEPTED,
  },
  {
    operation: 'listWebhookEventTypes',
    method: 'GET',
    path: '/v1/webhook-event-types',
    summary: 'List the event types of webhooks with their JSON Schemas',
    field: 'webhookEventTypes',
    select: pageOf('type description schema'),
  },
];
