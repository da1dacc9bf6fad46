import type { CreateCustomerInput } from '../../schema/inputs/CustomerInput.js';
import type { CreateCustomerPayload } from '../../schema/types/Customer.js';
import type { Transaction } from '../database/Transaction.js';
import { newId } from '../domain/ids.js';
import type { JsonValue } from '../domain/jsonValue.js';
import { withoutNulls } from '../domain/mergePatch.js';
import { canonicalJson } from '../domain/canonicalJson.js';
import type { CommandContext } from './CommandContext.js';
import { DATA_COLUMNS, dataParameters, givenData, storedData } from './customerData.js';
import { refusalsOf } from './refusalsOf.js';
import type { GroupedOperation } from './runGrouped.js';
import { CUSTOMER_COLUMNS, toCustomer } from '../../entities/CustomerEntity.js';
import type { CustomerData, CustomerRow } from '../../entities/CustomerEntity.js';
import { timeOfChange } from './timeOfChange.js';

/**
 * Creates or updates the customer of an `external_id` (docs/contract.md#customers). Omitted members stay;
 * given ones are replaced.
 */
export async function createCustomer(
  tx: Transaction,
  context: CommandContext,
  input: CreateCustomerInput,
): Promise<CreateCustomerPayload> {
  const profile = input.profile && withoutNulls(input.profile as JsonValue);
  const data = givenData({ ...input, profile });
  for (;;) {
    const created = await insertCustomer(tx, context, input.externalId, data);
    if (created !== undefined) return { status: 'created', customer: toCustomer(created) };
    const upserted = await upsertExisting(tx, context, input.externalId, data);
    // The customer was erased between the two statements, so a new one can be created.
    if (upserted !== undefined) return upserted;
  }
}

/** The same for several customers at once. */
export const CREATE_CUSTOMER: GroupedOperation<CreateCustomerInput, CreateCustomerPayload> = {
  name: 'customer',
  subjectOf: ({ externalId }) => externalId,
  runAll: (tx, context, inputs) => refusalsOf(inputs.map((input) => createCustomer(tx, context, input))),
  customerOf: ({ customer }) => customer.id,
};

const PLACES = DATA_COLUMNS.map((_, index) => `$${index + 5}`);

const INSERT = `
  INSERT INTO customers (app_id, customer_id, external_id, status, created_at, updated_at,
    ${DATA_COLUMNS.join(', ')})
  VALUES ($1, $2, $3, 'active', $4, $4, ${PLACES.join(', ')})
  ON CONFLICT (app_id, external_id) DO NOTHING RETURNING ${CUSTOMER_COLUMNS}`;

const UPDATE = `
  UPDATE customers
     SET external_id = $3, updated_at = $4,
       ${DATA_COLUMNS.map((column, index) => `${column} = ${PLACES[index]}`).join(', ')}
   WHERE app_id = $1 AND customer_id = $2 RETURNING ${CUSTOMER_COLUMNS}`;

async function insertCustomer(
  tx: Transaction,
  { appId, now }: CommandContext,
  externalId: string,
  data: Partial<CustomerData>,
): Promise<CustomerRow | undefined> {
  const id = newId('cus');
  const created = await tx.one<CustomerRow>(INSERT, [appId, id, externalId, now, ...dataParameters(data)]);
  // Two statements: Citus may run a part that selects from rows written by another part on any node,
  // including a lost one.
  if (created !== undefined)
    tx.send('INSERT INTO customer_heads (app_id, customer_id, changed_at) VALUES ($1, $2, $3)', [
      appId,
      id,
      now,
    ]);
  return created;
}

async function upsertExisting(
  tx: Transaction,
  { appId, clock }: CommandContext,
  externalId: string,
  data: Partial<CustomerData>,
): Promise<CreateCustomerPayload | undefined> {
  const [row] = await tx.query<CustomerRow>(
    `SELECT ${CUSTOMER_COLUMNS} FROM customers WHERE app_id = $1 AND external_id = $2 FOR NO KEY UPDATE`,
    [appId, externalId],
  );
  if (row === undefined) return undefined;
  const stored = storedData(row);
  const next = { ...stored, ...data };
  if (canonicalJson(next) === canonicalJson(stored))
    return { status: 'unchanged', customer: toCustomer(row) };
  const now = timeOfChange(clock(), row.updated_at);
  return { status: 'updated', customer: toCustomer(await writeCustomer(tx, { ...row, ...next }, now)) };
}

/** Stores the members of a customer that may change. */
export async function writeCustomer(tx: Transaction, row: CustomerRow, now: Date): Promise<CustomerRow> {
  const [updated] = await tx.query<CustomerRow>(UPDATE, [
    row.app_id,
    row.customer_id,
    row.external_id,
    now,
    ...dataParameters(row),
  ]);
  if (updated === undefined) throw new Error('The customer was erased while it was being updated.');
  return updated;
}
