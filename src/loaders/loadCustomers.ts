import type { Customer } from '../../schema/types/Customer.js';
import { CUSTOMER_COLUMNS, toCustomer } from '../../entities/CustomerEntity.js';
import type { CustomerRow } from '../../entities/CustomerEntity.js';
import { inOrder } from './SharedLoader.js';
import type { ReadContext, ReadScope } from './ReadScope.js';

const BY_ID = {
  name: 'customers_by_id',
  text: `SELECT ${CUSTOMER_COLUMNS} FROM customers WHERE app_id = $1 AND customer_id = ANY ($2)`,
  onePlan: true,
};

export function loadCustomer({ services, appId }: ReadContext, id: string): Promise<Customer | undefined> {
  return services.reads.customers.load({ services, appId }, id);
}

export async function loadCustomers(
  { services, appId }: ReadScope,
  ids: readonly string[],
): Promise<(Customer | undefined)[]> {
  const rows = await services.database.readAs<CustomerRow>(appId, BY_ID, [appId, ids]);
  return inOrder(ids, rows, (row) => row.customer_id, toCustomer);
}
