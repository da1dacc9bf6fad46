import { getMetadataArgsStorage } from 'typeorm';
import { snakeCase } from '../src/domain/snakeCase.js';

/**
 * A row of an entity's table as the service reads it: by column names, with times in RFC 3339. `Unselected`
 * are omitted.
 */
export type RowOf<Entity, Unselected extends keyof Entity = never> = {
  [Property in Exclude<keyof Entity, Unselected> & string as Snake<Property>]: Stored<Entity[Property]>;
};

export type Snake<Name extends string> = Name extends `${infer Head}${infer Tail}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${Snake<Tail>}`
  : '';

type Stored<Value> = Value extends Date ? string : Value;

type ColumnOptions = ReturnType<typeof getMetadataArgsStorage>['columns'][number]['options'];

/** The names of an entity's columns whose options match. */
export function columnNames(
  entity: abstract new () => unknown,
  isChosen: (options: ColumnOptions) => boolean,
): string[] {
  return getMetadataArgsStorage()
    .columns.filter(({ target, options }) => isOwn(entity, target) && isChosen(options))
    .map(({ propertyName }) => snakeCase(propertyName));
}

/** A class also has the columns of its base classes. */
const isOwn = (entity: abstract new () => unknown, target: unknown): boolean =>
  target === entity || (typeof target === 'function' && entity.prototype instanceof target);

/** Whether an entity selects a column. Secrets are not selected. */
export const isSelected = ({ select }: ColumnOptions): boolean => select !== false;

/** SQL of the columns that an entity selects. @param alias of the table */
export function columnsOf(entity: abstract new () => unknown, alias?: string): string {
  const names = columnNames(entity, isSelected);
  return names.map((name) => (alias === undefined ? name : `${alias}.${name}`)).join(', ');
}
