import { expect } from 'chai';
import fc from 'fast-check';
import pg from 'pg';
import { textArray } from '../../src/database/textArray.js';
import { createTestDatabase } from '../support/database.js';
import type { TestDatabase } from '../support/database.js';

describe('texts as a binary array', () => {
  let database: TestDatabase;
  let client: pg.Client;

  before(async () => {
    database = await createTestDatabase();
    client = new pg.Client({ connectionString: database.serviceUrl });
    await client.connect();
  });
  after(async () => {
    await client.end();
    await database.drop();
  });

  it('reach PostgreSQL as they are, nulls and no texts at all included', async () => {
    const storable = fc
      .string({ unit: 'binary' })
      .filter((text) => !text.includes('\0') && text.isWellFormed());
    const texts = fc.array(
      fc.option(fc.oneof(storable, fc.constantFrom('', 'NULL', '{"a,b"}', '\\"', '12€𝄞'))),
    );
    await fc.assert(
      fc.asyncProperty(texts, async (given) => {
        const { rows } = await client.query<{ back: (string | null)[] }>('SELECT $1::text[] AS back', [
          textArray(given),
        ]);
        expect(rows[0]?.back).to.deep.equal(given);
      }),
    );
  });
});
