import type { Connection } from '../../schema/connection.js';
import type { ConsentReceipt } from '../../schema/types/Consent.js';
import { RECEIPT_COLUMNS, toReceipt } from '../../entities/ConsentReceiptEntity.js';
import type { ReceiptRow } from '../../entities/ConsentReceiptEntity.js';
import { batched, inOrder } from './batched.js';
import { countUpTo } from './countUpTo.js';
import type { ReadScope } from './ReadScope.js';
import { PageWindow } from './page.js';
import type { PageRequest } from './page.js';

const BY_ID = {
  name: 'receipts_by_id',
  text: `SELECT ${RECEIPT_COLUMNS} FROM consent_receipts r WHERE r.app_id = $1 AND r.receipt_id = ANY ($2)`,
};

const LIST = {
  name: 'receipts_list',
  text: `SELECT ${RECEIPT_COLUMNS} FROM consent_receipts r
         WHERE r.app_id = $1 AND ($2::text IS NULL OR r.receipt_id < $2) ORDER BY r.receipt_id DESC LIMIT $3`,
};

const OF_CUSTOMER = {
  name: 'receipts_of_customer',
  text: `SELECT ${RECEIPT_COLUMNS} FROM consent_receipts r
         WHERE r.app_id = $1 AND r.customer_id = $4 AND ($2::text IS NULL OR r.receipt_id < $2)
           ORDER BY r.receipt_id DESC LIMIT $3`,
};

const COUNT = { name: 'receipts', text: 'SELECT FROM consent_receipts WHERE app_id = $1' };
const COUNT_OF_CUSTOMER = { name: 'receipts_of_one', text: `${COUNT.text} AND customer_id = $2` };

async function loadReceipts(
  { services, appId }: ReadScope,
  ids: readonly string[],
): Promise<(ConsentReceipt | undefined)[]> {
  const rows = await services.database.readAs<ReceiptRow>(appId, BY_ID, [appId, ids]);
  return inOrder(ids, rows, (row) => row.receipt_id, toReceipt);
}

/** A receipt; undefined when the app has none of this id. */
export const loadReceipt = batched(loadReceipts);

/** Receipts, newest first; of the given customer, if any (an unknown customer has none). */
export async function listReceipts(
  { services, appId }: ReadScope,
  customerId: string | undefined,
  request: PageRequest,
): Promise<Connection<ConsentReceipt>> {
  const scope = { appId, list: 'receipts', filter: customerId ?? '' };
  const counted = customerId === undefined ? COUNT : COUNT_OF_CUSTOMER;
  const count = countUpTo({ services, appId }, counted, [
    appId,
    ...(customerId === undefined ? [] : [customerId]),
  ]);
  const page = new PageWindow(services.secrets, scope, request);
  const query = customerId === undefined ? LIST : OF_CUSTOMER;
  const values = [appId, page.after, page.limit, ...(customerId === undefined ? [] : [customerId])];
  const rows = await services.database.readAs<ReceiptRow>(appId, query, values);
  const read = (row: ReceiptRow) => ({ position: row.receipt_id, node: toReceipt(row) });
  return page.toPage(rows, read, count);
}
