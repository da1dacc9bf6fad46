import type { Connection } from '../../schema/connection.js';
import type { Customer } from '../../schema/types/Customer.js';
import { GATE_TABLES, gateColumns, maskAt } from '../access/consentGate.js';
import { READ_CUSTOMER_COLUMNS } from '../../entities/CustomerEntity.js';
import type { ReadCustomerRow } from '../../entities/CustomerEntity.js';
import type { Query } from '../database/Database.js';
import type { CustomerOrder } from '../domain/listOrder.js';
import { prefixEnd } from '../domain/prefixEnd.js';
import { PLACE_OF } from '../domain/purposes.js';
import type { Purpose } from '../domain/purposes.js';
import { ServiceError } from '../errors.js';
import { countUpTo } from './countUpTo.js';
import { readCustomer } from './loadCustomers.js';
import type { ReadScope } from './ReadScope.js';
import { PageWindow, scopeOf } from './page.js';
import type { OrderedPageRequest, OrderedWindow } from './page.js';
import { Statement } from './Statement.js';
import { readTimePosition, timePosition } from './timePosition.js';

/** Conditions that are combined with AND. */
export interface CustomerFilter {
  externalId?: string | undefined;
  externalIdPrefix?: string | undefined;
  /** Both bounds are exclusive. */
  createdAfter?: string | undefined;
  createdBefore?: string | undefined;
  /** Granted now, and allowed to the app. */
  consentPurpose?: Purpose | undefined;
}

/**
 * Customers, newest first by default. @throws ServiceError `invalid_request` for an order without an index
 */
export async function listCustomers(
  context: ReadScope,
  filter: CustomerFilter,
  request: OrderedPageRequest<CustomerOrder>,
): Promise<Connection<Customer>> {
  const { services, appId } = context;
  const lead = leadOf(filter, request.order);
  const scope = scopeOf(appId, 'customers', filter, request.order);
  const page = new PageWindow(services.secrets, scope, request);
  const { query, values } = pageOf(appId, filter, lead, page.inOrder(request.order));
  const rows = await services.database.readAs<ReadCustomerRow>(appId, query, values);
  const all = new Statement('customers', appId);
  const count = countUpTo(context, all.query(matching(all, filter)), all.values);
  const positionOf = POSITIONS[lead];
  const read = (row: ReadCustomerRow) => ({ position: positionOf(row), node: readCustomer(row) });
  return page.toPage(rows, read, count);
}

/**
 * The leading column of a list: ids, which sort by creation; the creation time, if filtered by; external ids.
 */
type Lead = 'id' | 'time' | 'externalId';

/** @throws ServiceError `invalid_request` where no index has the order under the filter */
function leadOf(filter: CustomerFilter, order: CustomerOrder | undefined): Lead {
  const { externalId, externalIdPrefix, createdAfter, createdBefore, consentPurpose } = filter;
  const isTimed = createdAfter !== undefined || createdBefore !== undefined;
  if (order !== 'external_id')
    return isTimed && externalId === undefined && externalIdPrefix === undefined ? 'time' : 'id';
  if (!isTimed && consentPurpose === undefined) return 'externalId';
  const message = 'external_id goes with the filters external_id and external_id_prefix only';
  const details = [{ code: 'unsupported_order', message, field: 'order' }];
  throw new ServiceError('invalid_request', `The order ${message}.`, { details });
}

const POSITIONS: Record<Lead, (row: ReadCustomerRow) => string> = {
  id: (row) => row.customer_id,
  time: (row) => timePosition(row.created_at, row.customer_id),
  externalId: (row) => row.external_id,
};

const COLUMNS: Record<Lead, readonly string[]> = {
  id: ['customer_id'],
  time: ['created_at', 'customer_id'],
  externalId: ['external_id COLLATE "C"'],
};

function pageOf(
  appId: string,
  filter: CustomerFilter,
  lead: Lead,
  { after, limit, direction, beyond }: OrderedWindow,
): { query: Query; values: unknown[] } {
  const statement = new Statement('customers_page', appId);
  const ids = matching(statement, filter, lead);
  const order = COLUMNS[lead].map((column) => `${column} ${direction}`).join(', ');
  const start = after === null ? '' : `AND ${beyondPlace(statement, lead, beyond, after)}`;
  // An array, which the planner assumes to be short. For a join it assumes any number of rows in the page.
  const text = `SELECT ${READ_CUSTOMER_COLUMNS} FROM customers WHERE app_id = $1 AND customer_id = ANY (ARRAY(
      SELECT m.customer_id FROM (${ids}) m WHERE true ${start} ORDER BY ${order}
        LIMIT ${statement.bind(limit)}))
     ORDER BY ${order}`;
  return { query: statement.query(text), values: statement.values };
}

function beyondPlace(statement: Statement, lead: Lead, beyond: '<' | '>', after: string | number): string {
  if (lead !== 'time') return `m.${COLUMNS[lead].join()} ${beyond} ${statement.bind(after)}`;
  const [time, id] = readTimePosition(after);
  return `(m.created_at, m.customer_id) ${beyond} (${statement.bind(time)}::timestamptz, ${statement.bind(id)})`;
}

/** Selects the customers that meet the filter. `$1` is the app. */
function matching(statement: Statement, filter: CustomerFilter, lead?: Lead): string {
  const { externalId, externalIdPrefix, createdAfter, createdBefore, consentPurpose } = filter;
  const others = [externalId, externalIdPrefix, createdAfter, createdBefore];
  if (consentPurpose !== undefined && others.every((value) => value === undefined))
    return `SELECT k.customer_id FROM customer_consents k WHERE ${consented(statement, consentPurpose)}`;
  const conditions = ['c.app_id = $1'];
  if (externalId !== undefined) conditions.push(`c.external_id = ${statement.bind(externalId)}`);
  if (externalIdPrefix !== undefined) conditions.push(...prefixed(statement, externalIdPrefix));
  if (createdAfter !== undefined) conditions.push(`c.created_at > ${statement.bind(createdAfter)}`);
  if (createdBefore !== undefined) conditions.push(`c.created_at < ${statement.bind(createdBefore)}`);
  if (consentPurpose !== undefined)
    conditions.push(
      `EXISTS (SELECT FROM customer_consents k WHERE ${consented(statement, consentPurpose)} AND k.customer_id = c.customer_id)`,
    );
  // The fence keeps the planner from scanning all customers in page order for the few with the prefix.
  const fence = externalIdPrefix === undefined || lead === 'externalId' ? '' : 'OFFSET 0';
  return `SELECT c.customer_id, c.created_at, c.external_id FROM customers c
    WHERE ${conditions.join(' AND ')} ${fence}`;
}

/**
 * Standing decisions `k`; the gate decides in the end. The limit keeps the planner from joining the heads of
 * all customers.
 */
function consented(statement: Statement, purpose: Purpose): string {
  const place = `${statement.bind(PLACE_OF[purpose])}::smallint`;
  return `k.app_id = $1 AND k.purpose = ${place} AND k.status = 'granted' AND (
      SELECT g.open_mask <> 0 FROM (SELECT ${gateColumns(maskAt(place))} FROM ${GATE_TABLES}
       WHERE h.app_id = $1 AND h.customer_id = k.customer_id LIMIT 1) g)`;
}

function prefixed(statement: Statement, prefix: string): string[] {
  const end = prefixEnd(prefix);
  const from = `c.external_id COLLATE "C" >= ${statement.bind(prefix)}`;
  return end === undefined ? [from] : [from, `c.external_id COLLATE "C" < ${statement.bind(end)}`];
}
