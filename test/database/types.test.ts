import { expect } from 'chai';
import fc from 'fast-check';
import pg from 'pg';
import { isoTime, rowTypes } from '../../src/database/types.js';
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

  /** Each time as a row has it, and as SQL tells it. @param zone the client's */
  async function toldTwice(zone: string, times: readonly string[]): Promise<{ row: string; sql: string }[]> {
    const client = new pg.Client({ connectionString: database.serviceUrl, types: rowTypes });
    await client.connect();
    try {
      await client.query(`SET timezone = '${zone}'`);
      const text = `SELECT at AS row, ${isoTime('at')} AS sql FROM unnest($1::timestamptz[]) AS at`;
      return (await client.query<{ row: string; sql: string }>(text, [times])).rows;
    } finally {
      await client.end();
    }
  }

  it('are in SQL as in rows', async () => {
    const time = fc
      .tuple(fc.integer({ min: -62_000_000_000, max: 253_000_000_000 }), fc.nat(999_999))
      .map(([second, micros]) => {
        const text = new Date(second * 1000).toISOString();
        return text.replace('.000Z', `.${String(micros).padStart(6, '0')}Z`);
      });
    const ends = ['0001-01-01T00:00:00Z', '0999-12-31T23:59:59.999999Z', '9999-12-31T23:59:59.999999Z'];
    await fc.assert(
      fc.asyncProperty(fc.array(time, { minLength: 1, maxLength: 200 }), async (times) => {
        for (const { row, sql } of await toldTwice('UTC', [...ends, ...times])) expect(sql).to.equal(row);
        for (const { row, sql } of await toldTwice('Asia/Kolkata', times)) expect(sql).to.equal(row);
        for (const { row, sql } of await toldTwice('America/New_York', times)) expect(sql).to.equal(row);
      }),
      { numRuns: 10 },
    );
  });

  it('are refused outside the years 1 to 9999', async () => {
    for (const time of ['infinity', '-infinity', '0044-03-15 12:00:00Z BC', '10000-01-01 00:00:00Z'])
      for (const zone of ['UTC', 'Europe/Berlin']) {
        const failure = await toldTwice(zone, [time]).catch((error: unknown) => error);
        expect(failure, time).to.be.instanceOf(RangeError);
      }
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
