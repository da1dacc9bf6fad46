import { BATCH_BODY_LIMIT, pageOf } from '../Route.js';
import type { Route } from '../Route.js';
import { ITEM_ERROR } from './itemError.js';

const EVENT = `eventId status sequence error { code message } acceptedAt processedAt
  customerId eventType object consentPurpose occurredAt intentCategory properties source confidence eventKey`;

export const eventRoutes: readonly Route[] = [
  {
    operation: 'ingestEvent',
    method: 'POST',
    path: '/v1/events',
    success: 202,
    location: '{status_url}',
    summary: 'Send an event',
    select: 'eventId status sequence acceptedAt statusUrl',
  },
  {
    operation: 'ingestEvents',
    method: 'POST',
    path: '/v1/events/batch',
    success: 202,
    bodyLimit: BATCH_BODY_LIMIT,
    summary: 'Send up to 500 events',
    select: `accepted rejected data { index eventId sequence status ${ITEM_ERROR} }`,
  },
  {
    operation: 'getEvent',
    method: 'GET',
    path: '/v1/events/:event_id',
    summary: 'Read an event and what has become of it',
    field: 'event',
    select: EVENT,
  },
  {
    operation: 'listEvents',
    method: 'GET',
    path: '/v1/events',
    summary: 'List events and what has become of them',
    field: 'events',
    select: pageOf(EVENT),
  },
];
