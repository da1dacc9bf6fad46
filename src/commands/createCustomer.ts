import type { CreateCustomerInput } from '../../schema/inputs/CustomerInput.js';
import type { CreateCustomerPayload } from '../../schema/types/Customer.js';
import type { Transaction } from '../database/Transaction.js';
import { newId } from '../domain/ids.js';
import type { JsonValue } from '../domain/jsonValue.js';
import { withoutNulls } from '../domain/mergePatch.js';
import { canonicalJson } from '../domain/resolution/canonicalJson.js';
import type { CommandContext } from './CommandContext.js';
import { refusalsOf } from './refusalsOf.js';
import type { GroupedOperation } from './runGrouped.js';
import { CUSTOMER_COLUMNS, toCustomer } from '../../entities/CustomerEntity.js';
import type { CustomerRow } from '../../entities/CustomerEntity.js';

/**
 * Creates or updates the customer of an `external_id` (docs/contract.md#customers). What is omitted stays;
 * what is given replaces.
 */
export async function createCustomer(
  tx: Transaction,
  context: CommandContext,
  input: CreateCustomerInput,
): Promise<CreateCustomerPayload> {
  const profile = given(input.profile as JsonValue | undefined, withoutNulls);
  const metadata = given(input.metadata, (value) => value);
  for (;;) {
    const created = await insertCustomer(tx, context, input.externalId, profile, metadata);
    if (created !== undefined) return { status: 'created', customer: toCustomer(created) };
    const upserted = await upsertExisting(tx, context, input.externalId, profile, metadata);
    // Erased between the two statements: there is room for a new one.
    if (upserted !== undefined) return upserted;
  }
}

/** The same, of several at once. */
export const CUSTOMER: GroupedOperation<CreateCustomerInput, CreateCustomerPayload> = {
  name: 'customer',
  subjectOf: ({ externalId }) => externalId,
  locksHeads: false,
  runAll: (tx, context, inputs) => refusalsOf(inputs.map((input) => createCustomer(tx, context, input))),
  customerOf: ({ customer }) => customer.id,
};

/** Undefined: omitted. Null: to be emptied. */
function given(value: JsonValue | undefined, read: (value: JsonValue) => JsonValue): JsonValue | undefined {
  return value === null || value === undefined ? value : read(value);
}

async function insertCustomer(
  tx: Transaction,
  { appId, now }: CommandContext,
  externalId: string,
  profile: JsonValue | undefined,
  metadata: JsonValue | undefined,
): Promise<CustomerRow | undefined> {
  const id = newId('cus');
  const created = await tx.one<CustomerRow>(
    `INSERT INTO customers (app_id, customer_id, external_id, status, profile, metadata, created_at, updated_at)
     VALUES ($1, $2, $3, 'active', $4, $5, $6, $6)
     ON CONFLICT (app_id, external_id) DO NOTHING RETURNING ${CUSTOMER_COLUMNS}`,
    [appId, id, externalId, asJson(profile), asJson(metadata), now],
  );
  // Not in one statement: what selects from the rows that another part of it wrote, Citus runs on any node, a
  // lost one too.
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
  { appId, now }: CommandContext,
  externalId: string,
  profile: JsonValue | undefined,
  metadata: JsonValue | undefined,
): Promise<CreateCustomerPayload | undefined> {
  const [row] = await tx.query<CustomerRow>(
    `SELECT ${CUSTOMER_COLUMNS} FROM customers WHERE app_id = $1 AND external_id = $2 FOR NO KEY UPDATE`,
    [appId, externalId],
  );
  if (row === undefined) return undefined;
  const next = {
    profile: profile === undefined ? row.profile : profile,
    metadata: metadata === undefined ? row.metadata : metadata,
  };
  const same = canonicalJson(next) === canonicalJson({ profile: row.profile, metadata: row.metadata });
  if (same) return { status: 'unchanged', customer: toCustomer(row) };
  const updated = await writeCustomer(
    tx,
    { ...row, ...(next as Pick<CustomerRow, 'profile' | 'metadata'>) },
    now,
  );
  return { status: 'updated', customer: toCustomer(updated) };
}

/** Stores what may change of a customer. */
export async function writeCustomer(tx: Transaction, row: CustomerRow, now: Date): Promise<CustomerRow> {
  const [updated] = await tx.query<CustomerRow>(
    `UPDATE customers SET external_id = $3, profile = $4, metadata = $5, updated_at = $6
     WHERE app_id = $1 AND customer_id = $2 RETURNING ${CUSTOMER_COLUMNS}`,
    [
      row.app_id,
      row.customer_id,
      row.external_id,
      asJson(row.profile as JsonValue),
      asJson(row.metadata),
      now,
    ],
  );
  if (updated === undefined) throw new Error('The customer was erased while it was being updated.');
  return updated;
}

function asJson(value: JsonValue | undefined): string | null {
  return value === undefined || value === null ? null : JSON.stringify(value);
}
