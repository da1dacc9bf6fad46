import type { UpdateCustomerInput } from '../../schema/inputs/CustomerInput.js';
import type { Customer } from '../../schema/types/Customer.js';
import { sqlState, UNIQUE_VIOLATION } from '../database/sqlState.js';
import type { Transaction } from '../database/Transaction.js';
import { oversize } from '../domain/jsonValue.js';
import type { JsonValue } from '../domain/jsonValue.js';
import { mergePatch } from '../domain/mergePatch.js';
import { canonicalJson } from '../domain/canonicalJson.js';
import { conflict, notFound, validationFailed } from '../errors.js';
import type { CommandContext } from './CommandContext.js';
import { writeCustomer } from './createCustomer.js';
import { DATA_COLUMNS, givenData, storedData } from './customerData.js';
import { timeOfChange } from './timeOfChange.js';
import { CUSTOMER_COLUMNS, toCustomer } from '../../entities/CustomerEntity.js';
import type { CustomerRow } from '../../entities/CustomerEntity.js';

/** Applies a merge patch (RFC 7386) to a customer. */
export async function updateCustomer(
  tx: Transaction,
  context: CommandContext,
  id: string,
  input: UpdateCustomerInput,
): Promise<Customer> {
  const row = await tx.one<CustomerRow>(
    `SELECT ${CUSTOMER_COLUMNS} FROM customers WHERE app_id = $1 AND customer_id = $2 FOR NO KEY UPDATE`,
    [context.appId, id],
  );
  if (row === undefined) throw notFound('customer');
  const patched = patchRow(row, input);
  const tooLarge = oversize(patched.metadata);
  if (tooLarge !== undefined)
    throw validationFailed([{ code: 'too_long', message: tooLarge, field: 'metadata' }]);
  const same = canonicalJson(toCustomer(patched)) === canonicalJson(toCustomer(row));
  return toCustomer(
    same ? row : await writeUnique(tx, patched, timeOfChange(context.clock(), row.updated_at)),
  );
}

function patchRow(row: CustomerRow, input: UpdateCustomerInput): CustomerRow {
  const merged = mergePatch(
    storedData(row) as unknown as JsonValue,
    givenData(input) as unknown as JsonValue,
  );
  // The patch removes members that it sets to null.
  const emptied = Object.fromEntries(DATA_COLUMNS.map((column) => [column, null]));
  return { ...row, external_id: input.externalId ?? row.external_id, ...emptied, ...(merged as object) };
}

async function writeUnique(tx: Transaction, row: CustomerRow, now: Date): Promise<CustomerRow> {
  try {
    return await writeCustomer(tx, row, now);
  } catch (error) {
    if (sqlState(error) !== UNIQUE_VIOLATION) throw error;
    throw conflict('Another customer has this external_id.', {
      code: 'conflict',
      message: 'belongs to another customer',
      field: 'external_id',
    });
  }
}
