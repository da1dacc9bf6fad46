import { CUSTOMER_DATA } from '../../entities/CustomerEntity.js';
import type { CustomerData, CustomerRow } from '../../entities/CustomerEntity.js';

const FIELDS = Object.entries(CUSTOMER_DATA) as [keyof typeof CUSTOMER_DATA, keyof CustomerData][];

/** The columns that clients write, except `external_id`. */
export const DATA_COLUMNS = Object.values(CUSTOMER_DATA);

/** The values of an input by column. Omitted members are absent; null empties the column. */
export function givenData(
  input: Partial<Record<keyof typeof CUSTOMER_DATA, unknown>>,
): Partial<CustomerData> {
  const given = FIELDS.filter(([field]) => input[field] !== undefined);
  return Object.fromEntries(given.map(([field, column]) => [column, input[field]]));
}

/** The data columns of a stored row. */
export function storedData(row: CustomerRow): CustomerData {
  return Object.fromEntries(DATA_COLUMNS.map((column) => [column, row[column]])) as CustomerData;
}

/** The data as parameters of a statement, in the order of `DATA_COLUMNS`. */
export function dataParameters(data: Partial<CustomerData>): (string | null)[] {
  return DATA_COLUMNS.map((column) => data[column] ?? null).map((value) =>
    value === null || typeof value === 'string' ? value : JSON.stringify(value),
  );
}
