import { expect } from 'chai';
import fc from 'fast-check';
import { Database } from '../../src/database/Database.js';
import { createTestDatabase } from '../support/database.js';
import type { TestDatabase } from '../support/database.js';

describe('statements of text alone', () => {
  let test: TestDatabase;
  let databases: Database[];

  before(async () => {
    test = await createTestDatabase();
    databases = [true, false].map(
      (prepared) => new Database({ url: test.serviceUrl, poolSize: 1, prepared }),
    );
  });
  after(async () => {
    for (const database of databases) await database.close();
    await test.drop();
  });

  it('read every text as it is, and null as null', async () => {
    const echo = {
      name: 'echo',
      text: 'SELECT t AS said, nullif(t, t) AS nothing FROM unnest($1::text[]) AS t',
      textOnly: true,
    };
    const storable = fc.string({ unit: 'binary', maxLength: 50 }).filter((text) => !text.includes('\0'));
    await fc.assert(
      fc.asyncProperty(fc.array(storable, { maxLength: 20 }), async (texts) => {
        const expected = texts.map((said) => ({ said, nothing: null }));
        for (const database of databases)
          expect(await database.readAs('app_none', echo, [texts])).to.deep.equal(expected);
      }),
      { numRuns: 30 },
    );
  });

  it('are refused where a column is of another type, and leave the connection usable', async () => {
    const mixed = { name: 'mixed', text: `SELECT 'x' AS said, $1::integer AS number`, textOnly: true };
    for (const database of databases) {
      const failure = await database.readAs('app_none', mixed, [257]).catch((error: unknown) => error);
      expect(failure).to.be.instanceOf(TypeError);
      const sound = { name: 'sound', text: 'SELECT $1::integer AS number' };
      expect(await database.readAs('app_none', sound, [257])).to.deep.equal([{ number: 257 }]);
    }
  });
});
