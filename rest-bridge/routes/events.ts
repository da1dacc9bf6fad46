import { BATCH_BODY_LIMIT, PAGINATION } from '../Route.js';
import type { Route } from '../Route.js';
import { ITEM_ERROR } from './itemError.js';

const EVENT = `event_id: eventId status sequence error { code message } accepted_at: acceptedAt processed_at: processedAt
  customer_id: customerId event_type: eventType object consent_purpose: consentPurpose occurred_at: occurredAt
  intent_category: intentCategory properties source confidence event_key: eventKey`;

export const eventRoutes: readonly Route[] = [
  {
    operation: 'ingestEvent',
    method: 'POST',
    path: '/v1/events',
    success: 202,
    location: '{status_url}',
    summary: 'Send an event',
    document: `mutation ingestEvent($idempotency_key: String!, $input: IngestEventInput!) {
      result: ingestEvent(idempotencyKey: $idempotency_key, input: $input) {
        event_id: eventId status sequence accepted_at: acceptedAt status_url: statusUrl } }`,
  },
  {
    operation: 'ingestEvents',
    method: 'POST',
    path: '/v1/events/batch',
    success: 202,
    bodyLimit: BATCH_BODY_LIMIT,
    summary: 'Send up to 500 events',
    document: `mutation ingestEvents($idempotency_key: String!, $input: IngestEventsInput!) {
      result: ingestEvents(idempotencyKey: $idempotency_key, input: $input) {
        accepted rejected data { index event_id: eventId sequence status ${ITEM_ERROR} } } }`,
  },
  {
    operation: 'getEvent',
    method: 'GET',
    path: '/v1/events/:event_id',
    success: 200,
    summary: 'Read an event and what has become of it',
    document: `query getEvent($event_id: ID!) {
      result: event(id: $event_id) { ${EVENT} } }`,
  },
  {
    operation: 'listEvents',
    method: 'GET',
    path: '/v1/events',
    success: 200,
    summary: 'List events and what has become of them',
    document: `query listEvents($customer_id: ID, $status: EventStatus, $consent_purpose: ConsentPurpose, $order: ListOrder, $limit: Int, $cursor: String) {
      result: events(customerId: $customer_id, status: $status, consentPurpose: $consent_purpose, order: $order, first: $limit, after: $cursor) {
        data: nodes { ${EVENT} } ${PAGINATION} } }`,
  },
];
