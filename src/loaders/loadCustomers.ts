import type { Connection } from '../../schema/connection.js';
import type { Customer } from '../../schema/types/Customer.js';
import { CUSTOMER_COLUMNS, toCustomer } from '../commands/customerRow.js';
import type { CustomerRow } from '../commands/customerRow.js';
import { inOrder } from './Loaders.js';
import type { Loaders } from './Loaders.js';
import type { ReadScope } from './ReadScope.js';
import { readWindow, toPage } from './page.js';
import type { PageRequest } from './page.js';

const BY_ID = {
  name: 'customers_by_id',
  text: `SELECT ${CUSTOMER_COLUMNS} FROM customers WHERE app_id = $1 AND customer_id = ANY ($2)`,
  onePlan: true,
};

const LIST = {
  name: 'customers_list',
  text: `SELECT ${CUSTOMER_COLUMNS} FROM customers WHERE app_id = $1 AND ($2::text IS NULL OR customer_id < $2) ORDER BY customer_id DESC LIMIT $3`,
};

const BY_EXTERNAL_ID = {
  name: 'customers_by_external_id',
  text: `SELECT ${CUSTOMER_COLUMNS} FROM customers WHERE app_id = $1 AND external_id = $4 AND ($2::text IS NULL OR customer_id < $2) LIMIT $3`,
};

export async function loadCustomers(
  { services, appId }: ReadScope,
  ids: readonly string[],
): Promise<(Customer | undefined)[]> {
  const rows = await services.database.readAs<CustomerRow>(appId, BY_ID, [appId, ids]);
  return inOrder(ids, rows, (row) => row.customer_id, toCustomer);
}

/** Customers, newest first; the one of an `external_id` when given. */
export async function listCustomers(
  { services, appId }: Loaders,
  externalId: string | undefined,
  request: PageRequest,
): Promise<Connection<Customer>> {
  const scope = { appId, list: 'customers', ...(externalId === undefined ? {} : { filter: externalId }) };
  const { limit, after } = readWindow(services.secrets, scope, request);
  const query = externalId === undefined ? LIST : BY_EXTERNAL_ID;
  const values = [appId, after, limit + 1, ...(externalId === undefined ? [] : [externalId])];
  const rows = await services.database.readAs<CustomerRow>(appId, query, values);
  return toPage(services.secrets, scope, limit, rows, (row) => ({ position: row.customer_id, node: toCustomer(row) }));
}
