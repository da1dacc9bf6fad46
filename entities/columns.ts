import { Column } from 'typeorm';
import type { ColumnOptions, ColumnType } from 'typeorm';

type Options = Omit<ColumnOptions, 'type'>;

/** Declares a column. A property of another type than the column is read as does not compile. */
type Declare<Value> = <Given extends Options = object>(
  options?: Given,
) => <Name extends string>(
  row: Record<Name, Given extends { nullable: true } ? Value | null : Value>,
  name: Name,
) => void;

const columnOf =
  <Value>(type: ColumnType, fixed: Options = {}): Declare<Value> =>
  (options) => {
    const all: ColumnOptions = { type, ...fixed, ...options };
    return Column(all);
  };

export const Text = columnOf<string>('text');
export const TextList = columnOf<readonly string[]>('text', { array: true });
export const Time = columnOf<Date>('timestamptz', { precision: 3 });
export const Flag = columnOf<boolean>('boolean');
export const Small = columnOf<number>('smallint');
export const Integer = columnOf<number>('integer');
export const IntegerList = columnOf<readonly number[]>('integer', { array: true });
export const Big = columnOf<number>('bigint');
export const BigList = columnOf<readonly number[]>('bigint', { array: true });
export const Real = columnOf<number>('real');
export const Double = columnOf<number>('double precision');
export const Json = columnOf<unknown>('jsonb');
export const Bytes = columnOf<Uint8Array>('bytea');

/** A text column of the primary key. */
export const Key = columnOf<string>('text', { primary: true });

/** The check that a text column has one of the values, as PostgreSQL prints it. */
export function oneOf(column: string, values: readonly string[]): string {
  return `${column} = ANY (ARRAY[${values.map((value) => `'${value}'::text`).join(', ')}])`;
}
