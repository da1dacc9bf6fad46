import { expect } from 'chai';
import type { DataSource } from 'typeorm';
import { createDataSource } from '../../ormconfig.js';
import { createTestDatabase } from '../support/database.js';
import type { TestDatabase } from '../support/database.js';

describe('entities', () => {
  let database: TestDatabase;
  let source: DataSource;

  before(async () => {
    database = await createTestDatabase();
    source = oneAtATime(createDataSource(database.ownerUrl));
    await source.initialize();
  });

  after(async () => {
    await source.destroy();
    await database.drop();
  });

  it('describe the database that the migrations make, to the last column and constraint', async () => {
    const { upQueries } = await source.driver.createSchemaBuilder().log();
    expect(upQueries.map(({ query }) => query)).to.deep.equal([]);
  });

  it('have the conditions of the checks in the database, which TypeORM compares by name alone', async () => {
    const stored = await source.query<{ name: string; condition: string }[]>(
      `SELECT conname AS name, pg_get_expr(conbin, conrelid) AS condition FROM pg_constraint
        WHERE contype = 'c' AND connamespace = 'public'::regnamespace`,
    );
    const described = source.entityMetadatas.flatMap(({ checks }) =>
      checks.map(({ name, expression }) => `${name}: (${expression})`),
    );
    expect(described.toSorted()).to.deep.equal(
      stored.map(({ name, condition }) => `${name}: ${condition}`).toSorted(),
    );
  });

  it('exist for every table', async () => {
    const tables = await source.query<{ name: string }[]>(
      `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'
        AND tablename <> 'schema_migrations'`,
    );
    const described = source.entityMetadatas.map(({ tableName }) => tableName);
    expect(described).to.have.members(tables.map(({ name }) => name));
  });
});

/**
 * TypeORM reads a schema by many statements at once on one connection, which pg deprecates: here each waits
 * for its turn.
 */
function oneAtATime(source: DataSource): DataSource {
  const create = source.createQueryRunner.bind(source);
  source.createQueryRunner = (mode) => {
    const runner = create(mode);
    const query = runner.query.bind(runner) as (...args: unknown[]) => Promise<unknown>;
    let turn: Promise<unknown> = Promise.resolve();
    runner.query = (...args: unknown[]): Promise<never> => {
      const answer = turn.then(() => query(...args));
      turn = answer.catch(() => undefined);
      return answer as Promise<never>;
    };
    return runner;
  };
  return source;
}
