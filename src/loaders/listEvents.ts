import { MAX_TOTAL } from '../../schema/connection.js';
import type { Connection } from '../../schema/connection.js';
import type { Event } from '../../schema/types/Event.js';
import type { SqlOrder } from '../domain/listOrder.js';
import { PURPOSES, PLACE_OF } from '../domain/purposes.js';
import type { Purpose } from '../domain/purposes.js';
import { countUpTo } from './countUpTo.js';
import { eventsOf, INBOX_EVENT, SETTLED_EVENT, toEvent } from './loadEvent.js';
import type { EventRow } from './loadEvent.js';
import type { ReadScope } from './ReadScope.js';
import { PageWindow, scopeOf } from './page.js';
import type { OrderedPageRequest, OrderedWindow } from './page.js';
import { Statement } from './Statement.js';

/** An event is found by customer and purpose after its epoch closed too, without its content. */
export interface EventFilter {
  customerId?: string | undefined;
  status?: string | undefined;
  consentPurpose?: Purpose | undefined;
}

const WAITING = ['accepted', 'processing'];
const SETTLED = ['processed', 'rejected', 'failed'];

/**
 * Events, newest first by default. Those of closed epochs only with what stays readable, as with an event
 * read by its id.
 */
export async function listEvents(
  context: ReadScope,
  filter: EventFilter,
  request: OrderedPageRequest,
): Promise<Connection<Event>> {
  const { services, appId } = context;
  const scope = scopeOf(appId, 'events', filter, request.order);
  const page = new PageWindow(services.secrets, scope, request);
  const statement = new Statement('events_page', appId);
  const window = page.inOrder(request.order);
  const query = statement.query(
    eventsOf(pageOf(statement, filter, window), `ORDER BY f.event_id ${window.direction}`),
  );
  const rows = await services.database.readAs<EventRow>(appId, query, statement.values);
  const read = (row: EventRow) => ({ position: row.event_id, node: toEvent(row) });
  return page.toPage(rows, read, countOf(context, filter));
}

/** Merges the newest waiting and the newest settled events. An event is in exactly one of the tables. */
function pageOf(
  statement: Statement,
  filter: EventFilter,
  { after, limit, ...order }: OrderedWindow,
): string {
  const most = `${statement.bind(limit)}::integer`;
  const place = after === null ? '' : statement.bind(after);
  const parts = [
    ...(matches(filter, SETTLED) ? [settledPage(statement, filter, place, most, order)] : []),
    ...(matches(filter, WAITING) ? [waitingPage(statement, filter, place, most, order)] : []),
  ];
  return `SELECT * FROM (${parts.map((part) => `(${part})`).join(' UNION ALL ')}) merged
    ORDER BY event_id ${order.direction} LIMIT ${most}`;
}

function matches({ status }: EventFilter, statuses: readonly string[]): boolean {
  return status === undefined || statuses.includes(status);
}

/** Reads each status and purpose by its index, then merges; without a filter, by the order of ids. */
function settledPage(
  statement: Statement,
  filter: EventFilter,
  place: string,
  most: string,
  { direction, beyond }: SqlOrder,
): string {
  const start = place === '' ? '' : `AND e.event_id ${beyond} ${place}`;
  if (Object.values(filter).every((value) => value === undefined))
    return `SELECT ${SETTLED_EVENT} FROM events e WHERE e.app_id = $1 ${start}
      ORDER BY e.event_id ${direction} LIMIT ${most}`;
  const { statuses, purposes, customer } = settledConditions(statement, filter);
  // An array, which the planner assumes to be short. For a join it assumes any number of rows in the page.
  return `SELECT ${SETTLED_EVENT} FROM events e WHERE e.app_id = $1 AND e.event_id = ANY (ARRAY(
      SELECT k.event_id FROM unnest(${statuses}) s (status) CROSS JOIN unnest(${purposes}) p (purpose)
        CROSS JOIN LATERAL (
        SELECT e.event_id FROM events e
         WHERE e.app_id = $1 ${customer} AND e.status = s.status AND e.purpose = p.purpose ${start}
         ORDER BY e.event_id ${direction} LIMIT ${most}) k
       ORDER BY k.event_id ${direction} LIMIT ${most}))`;
}

function settledConditions(
  statement: Statement,
  { status, consentPurpose, customerId }: EventFilter,
): { statuses: string; purposes: string; customer: string } {
  const purposes = consentPurpose === undefined ? [...PURPOSES.keys()] : [PLACE_OF[consentPurpose]];
  return {
    statuses: `${statement.bind(status === undefined ? SETTLED : [status])}::text[]`,
    purposes: `${statement.bind(purposes)}::smallint[]`,
    customer: customerId === undefined ? '' : `AND e.customer_id = ${statement.bind(customerId)}`,
  };
}

function waitingPage(
  statement: Statement,
  filter: EventFilter,
  place: string,
  most: string,
  { direction, beyond }: SqlOrder,
): string {
  const start = place === '' ? '' : `AND i.item_id ${beyond} ${place}`;
  return `SELECT ${INBOX_EVENT} FROM inbox i WHERE ${waitingConditions(statement, filter)} ${start}
    ORDER BY i.item_id ${direction} LIMIT ${most}`;
}

function waitingConditions(
  statement: Statement,
  { status, consentPurpose, customerId }: EventFilter,
): string {
  const conditions = [`i.app_id = $1 AND i.kind = 'event'`];
  if (customerId !== undefined) conditions.push(`i.customer_id = ${statement.bind(customerId)}`);
  if (status !== undefined)
    conditions.push(`(i.attempts > 0) = ${statement.bind(status === 'processing')}::boolean`);
  if (consentPurpose !== undefined)
    conditions.push(`i.purpose = ${statement.bind(PLACE_OF[consentPurpose])}::smallint`);
  return conditions.join(' AND ');
}

function countOf(context: ReadScope, filter: EventFilter): () => Promise<number | null> {
  const statement = new Statement('events', context.appId);
  const parts: string[] = [];
  if (matches(filter, SETTLED)) {
    const { statuses, purposes, customer } = settledConditions(statement, filter);
    parts.push(
      `SELECT FROM unnest(${statuses}) s (status) CROSS JOIN unnest(${purposes}) p (purpose)
        CROSS JOIN LATERAL (
         SELECT FROM events e WHERE e.app_id = $1 ${customer} AND e.status = s.status
           AND e.purpose = p.purpose LIMIT ${MAX_TOTAL + 1}) k`,
    );
  }
  if (matches(filter, WAITING))
    parts.push(`SELECT FROM inbox i WHERE ${waitingConditions(statement, filter)}`);
  return countUpTo(context, statement.query(parts.join(' UNION ALL ')), statement.values);
}
