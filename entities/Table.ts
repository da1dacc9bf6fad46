import { getMetadataArgsStorage } from 'typeorm';
import { columnNames, isSelected } from './rowOf.js';
import type { RowOf, Snake } from './rowOf.js';

/** Runs statements: a transaction, or the database for one statement on tables that belong to no app. */
export interface Runner {
  query: <T extends object>(text: string, values?: readonly unknown[]) => Promise<T[]>;
}

/** A condition on a column other than equality. */
class Condition<Value> {
  constructor(
    readonly operator: string,
    readonly value: Value | readonly Value[],
  ) {}
}

export const not = <Value>(value: Value): Condition<Value> => new Condition('<>', value);
export const after = (time: Date): Condition<Date> => new Condition('>', time);
export const IS_NULL = new Condition<never>('IS NULL', []);
export const anyOf = <Value>(values: readonly Value[]): Condition<Value> => new Condition('= ANY', values);

type Written<Value> = Value extends Date
  ? Date | string
  : Value extends (infer Item)[]
    ? readonly Item[]
    : Value;

/** Undefined values are unchanged, or the column's default on insert. */
type Values<Entity> = {
  [Property in keyof Entity & string as Snake<Property>]?: Written<Entity[Property]> | undefined;
};

type Where<Entity> = {
  [Property in keyof Entity & string as Snake<Property>]?:
    Written<NonNullable<Entity[Property]>> | Condition<Written<NonNullable<Entity[Property]>>>;
};

type Column<Entity> = keyof RowOf<Entity> & string;

/**
 * Access to the rows of an entity's table, for statements that are not performance-critical. Columns and
 * their types are the entity's. Rows use column names, as in hand-written SQL.
 */
export class Table<Entity, Hidden extends keyof Entity = never> {
  /** All columns that the entity selects. */
  readonly columns: readonly (keyof RowOf<Entity, Hidden> & string)[];
  private readonly name: string;
  private readonly json: ReadonlySet<string>;

  constructor(entity: abstract new () => Entity) {
    this.name = getMetadataArgsStorage().tables.find(({ target }) => target === entity)?.name ?? '';
    this.columns = columnNames(entity, isSelected) as unknown[] as typeof this.columns;
    this.json = new Set(columnNames(entity, ({ type }) => type === 'jsonb'));
  }

  async insert(runner: Runner, row: Values<Entity>): Promise<void> {
    await runner.query(...this.insertion(row, ''));
  }

  /** Inserts a row and returns it as stored; undefined when another row has its unique key. */
  async insertNew(runner: Runner, row: Values<Entity>): Promise<RowOf<Entity, Hidden> | undefined> {
    const returning = `ON CONFLICT DO NOTHING RETURNING ${this.columns.join(', ')}`;
    const [stored] = await runner.query<RowOf<Entity, Hidden>>(...this.insertion(row, returning));
    return stored;
  }

  /**
   * The columns of the first row, or undefined.
   *
   * @param rest SQL after the condition: order, locks
   */
  async find<Chosen extends Column<Entity>>(
    runner: Runner,
    columns: readonly Chosen[],
    where: Where<Entity>,
    rest = '',
  ): Promise<Pick<RowOf<Entity>, Chosen> | undefined> {
    const [row] = await this.findAll(runner, columns, where, rest);
    return row;
  }

  findAll<Chosen extends Column<Entity>>(
    runner: Runner,
    columns: readonly Chosen[],
    where: Where<Entity>,
    rest = '',
  ): Promise<Pick<RowOf<Entity>, Chosen>[]> {
    const values: unknown[] = [];
    const condition = this.condition(where, values);
    const text = `SELECT ${columns.join(', ')} FROM ${this.name} WHERE ${condition} ${rest}`;
    return runner.query<Pick<RowOf<Entity>, Chosen>>(text.trimEnd(), values);
  }

  async has(runner: Runner, where: Where<Entity>): Promise<boolean> {
    const values: unknown[] = [];
    const text = `SELECT 1 FROM ${this.name} WHERE ${this.condition(where, values)} LIMIT 1`;
    return (await runner.query(text, values)).length === 1;
  }

  /**
   * `updated_at` stays where nothing else changes.
   *
   * @returns the number of rows
   */
  async update(runner: Runner, where: Where<Entity>, change: Values<Entity>): Promise<number> {
    return (await runner.query(...this.changing(where, change, '1'))).length;
  }

  /** Changes a row and returns its new state; undefined when there is none. */
  async updateRow(
    runner: Runner,
    where: Where<Entity>,
    change: Values<Entity>,
  ): Promise<RowOf<Entity, Hidden> | undefined> {
    const statement = this.changing(where, change, this.columns.join(', '));
    const [row] = await runner.query<RowOf<Entity, Hidden>>(...statement);
    return row;
  }

  /** @returns the number of deleted rows */
  async delete(runner: Runner, where: Where<Entity>): Promise<number> {
    const values: unknown[] = [];
    const text = `DELETE FROM ${this.name} WHERE ${this.condition(where, values)} RETURNING 1`;
    return (await runner.query(text, values)).length;
  }

  /** Deletes the rows and returns them. Of concurrent calls only one gets each row. */
  take<Chosen extends Column<Entity>>(
    runner: Runner,
    columns: readonly Chosen[],
    where: Where<Entity>,
  ): Promise<Pick<RowOf<Entity>, Chosen>[]> {
    const values: unknown[] = [];
    const text = `DELETE FROM ${this.name} WHERE ${this.condition(where, values)} RETURNING ${columns.join(', ')}`;
    return runner.query<Pick<RowOf<Entity>, Chosen>>(text, values);
  }

  private insertion(row: Values<Entity>, rest: string): [text: string, values: unknown[]] {
    const [columns, values] = this.parameters(row);
    const places = values.map((_value, index) => `$${index + 1}`).join(', ');
    return [`INSERT INTO ${this.name} (${columns.join(', ')}) VALUES (${places}) ${rest}`.trimEnd(), values];
  }

  private changing(
    where: Where<Entity>,
    change: Values<Entity>,
    returning: string,
  ): [text: string, values: unknown[]] {
    const [columns, values] = this.parameters(change);
    const set = columns.map((column, index) => [column, `$${index + 1}`] as const);
    const changed = set
      .filter(([column]) => column !== 'updated_at')
      .map(([column, value]) => `${column} IS DISTINCT FROM ${value}`);
    const written = set.map(([column, value]) =>
      column === 'updated_at' && changed.length > 0
        ? `updated_at = CASE WHEN ${changed.join(' OR ')} THEN ${value} ELSE updated_at END`
        : `${column} = ${value}`,
    );
    const condition = this.condition(where, values);
    return [
      `UPDATE ${this.name} SET ${written.join(', ')} WHERE ${condition} RETURNING ${returning}`,
      values,
    ];
  }

  private parameters(row: object): [columns: string[], values: unknown[]] {
    const given = Object.entries(row).filter(([, value]) => value !== undefined);
    const values = given.map(([column, value]: [string, unknown]) =>
      this.json.has(column) && value !== null ? JSON.stringify(value) : value,
    );
    return [given.map(([column]) => column), values];
  }

  /** @throws TypeError when a condition has no value: a forgotten one must not affect more rows */
  private condition(where: object, values: unknown[]): string {
    const conditions = Object.entries(where).map(([column, wanted]: [string, unknown]) => {
      const { operator, value } = wanted instanceof Condition ? wanted : { operator: '=', value: wanted };
      if (operator === 'IS NULL') return `${column} IS NULL`;
      if (value === undefined || value === null)
        throw new TypeError(`${this.name}.${column}: a condition needs a value.`);
      values.push(value);
      return operator === '= ANY'
        ? `${column} = ANY ($${values.length})`
        : `${column} ${operator} $${values.length}`;
    });
    if (conditions.length === 0) throw new TypeError(`${this.name}: a condition is needed.`);
    return conditions.join(' AND ');
  }
}
