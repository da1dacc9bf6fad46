import { expect } from 'chai';
import fc from 'fast-check';
import pg from 'pg';
import { rowTypes } from '../../src/database/types.js';
import { createTestDatabase } from '../support/database.js';
import type { TestDatabase } from '../support/database.js';

describe('times of rows', () => {
  let database: TestDatabase;

  before(async () => {
    database = await createTestDatabase();
  });
  after(() => database.drop());

  it('are returned in UTC for any time zone of the server', async () => {
    const client = new pg.Client({ connectionString: database.serviceUrl });
    await client.connect();
    const { rows } = await client.query<{ source: string; setting: string }>(
      `SELECT source, setting FROM pg_settings WHERE name = 'TimeZone'`,
    );
    await client.end();
    expect(rows).to.deep.equal([{ source: 'user', setting: 'UTC' }]);
  });

  async function timesIn(zone: string, seconds: readonly string[]): Promise<string[]> {
    const client = new pg.Client({ connectionString: database.serviceUrl, types: rowTypes });
    await client.connect();
    try {
      await client.query(`SET timezone = '${zone}'`);
      const { rows } = await client.query<{ at: string }>(
        'SELECT to_timestamp(s::numeric) AS at FROM unnest($1::text[]) WITH ORDINALITY AS q (s, place) ORDER BY place',
        [seconds],
      );
      return rows.map(({ at }) => at);
    } finally {
      await client.end();
    }
  }

  it('are parsed to the millisecond in any time zone', async () => {
    const micros = fc.bigInt({ min: -62_000_000_000_000_000n, max: 253_000_000_000_000_000n });
    await fc.assert(
      fc.asyncProperty(fc.array(micros, { minLength: 1, maxLength: 50 }), async (instants) => {
        const seconds = instants.map((instant) => `${instant / 1_000_000n}`);
        const expected = seconds.map((second) => new Date(Number(second) * 1000).toISOString());
        expect(await timesIn('UTC', seconds)).to.deep.equal(expected);
        for (const zone of ['Asia/Kolkata', 'America/New_York', 'Europe/Lisbon'])
          expect(await timesIn(zone, seconds), zone).to.deep.equal(expected);
      }),
      { numRuns: 10 },
    );
  });

  it('are truncated to milliseconds', async () => {
    const seconds = ['1.5', '1.000999', '1.123456', '1.1', '1'];
    const expected = ['01.500Z', '01.000Z', '01.123Z', '01.100Z', '01.000Z'].map(
      (end) => `1970-01-01T00:00:${end}`,
    );
    expect(await timesIn('UTC', seconds)).to.deep.equal(expected);
    expect(await timesIn('Europe/Berlin', seconds)).to.deep.equal(expected);
  });
});
