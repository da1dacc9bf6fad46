import type { Customer } from '../../schema/types/Customer.js';
import { READ_CUSTOMER_COLUMNS, toCustomer } from '../../entities/CustomerEntity.js';
import type { ReadCustomerRow } from '../../entities/CustomerEntity.js';
import { storedJson } from '../documents/FreeForm.js';
import { forReadsOfApps } from '../database/openings.js';
import { batched, inOrder } from './batched.js';
import type { ReadScope } from './ReadScope.js';

const TEXT = `SELECT ${READ_CUSTOMER_COLUMNS} FROM customers WHERE app_id = $1 AND customer_id = ANY ($2)`;

const EACH_READ = `SELECT q.*, q.ids::text[] AS value2
  FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS q (app_id, ids, place)`;

export const BY_ID = {
  name: 'customers_by_id',
  text: TEXT,
  forApps: forReadsOfApps(EACH_READ, TEXT),
  onePlan: true,
};

export async function loadCustomer(scope: ReadScope, id: string): Promise<Customer | undefined> {
  const [customer] = await loadCustomers(scope, [id]);
  return customer;
}

/** One of several customers that a request reads. */
export const loadCustomerOf = batched(loadCustomers);

async function loadCustomers(
  { services, appId }: ReadScope,
  ids: readonly string[],
): Promise<(Customer | undefined)[]> {
  const rows = await services.database.readAs<ReadCustomerRow>(appId, BY_ID, [appId, ids]);
  return inOrder(ids, rows, (row) => row.customer_id, readCustomer);
}

export function readCustomer(row: ReadCustomerRow): Customer {
  return toCustomer({ ...row, metadata: storedJson(row.metadata) });
}
