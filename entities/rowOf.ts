import { getMetadataArgsStorage } from 'typeorm';

/**
 * A row of an entity's table as the service reads it: columns by their names, times in RFC 3339. `Unselected`
 * are left out.
 */
export type RowOf<Entity, Unselected extends keyof Entity = never> = {
  [Property in Exclude<keyof Entity, Unselected> & string as Snake<Property>]: Stored<Entity[Property]>;
};

export type Snake<Name extends string> = Name extends `${infer Head}${infer Tail}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${Snake<Tail>}`
  : '';

type Stored<Value> = Value extends Date ? string : Value;

/** SQL of the columns of an entity but those it does not select (secrets). @param alias of the table */
export function columnsOf(entity: abstract new () => unknown, alias?: string): string {
  return getMetadataArgsStorage()
    .columns.filter(({ target, options }) => target === entity && options.select !== false)
    .map(
      ({ propertyName, options }) =>
        `${alias === undefined ? '' : `${alias}.`}${options.name ?? propertyName}`,
    )
    .join(', ');
}
