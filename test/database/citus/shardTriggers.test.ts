import { createHash } from 'node:crypto';
import { expect } from 'chai';
import pg from 'pg';
import { SHARD_TRIGGERS } from '../../../src/database/citus/shardTriggers.js';
import { SPREAD_TABLES } from '../../../src/database/citus/spread.js';
import { createTestDatabase } from '../../support/database.js';
import type { TestDatabase } from '../../support/database.js';

/**
 * The functions of the migrations for which `shardTriggers.ts` has a namesake, by what they were when it was
 * written. When one changes, bring its namesake up to date, run `npm run proof:citus`, and put the new hash
 * here.
 */
const WRITTEN_FOR: Readonly<Record<string, string>> = {
  end_webhook_workflow: '4d084b2c5b26ba4e',
  tally_changed_head: 'e3dc71a877c4a310',
  tally_ended_delivery: '51f3303f7535dd28',
  tally_erased_customer: '1e2724184cf3fb5d',
  tally_facts_delete: '9a7b82d217814109',
  tally_facts_insert: '93f09b094549c517',
  tally_facts_update: '8594a83856da52a1',
  tally_new_heads: 'c3ca5f0e397a48ac',
};

interface Found {
  name: string;
  source: string;
}

describe('triggers on shards', () => {
  let test: TestDatabase;
  let found: Found[];

  before(async () => {
    test = await createTestDatabase();
    const client = new pg.Client({ connectionString: test.ownerUrl });
    await client.connect();
    // Hints are dropped when tables are spread; processes look again instead.
    const { rows } = await client.query<Found>(
      `SELECT DISTINCT p.proname AS name, p.prosrc AS source FROM pg_trigger t
        JOIN pg_proc p ON p.oid = t.tgfoid
        WHERE NOT t.tgisinternal AND p.proname NOT LIKE 'hint\\_%'
          AND t.tgrelid IN (SELECT name::regclass FROM (${SPREAD_TABLES}) s) ORDER BY 1`,
    );
    found = rows;
    await client.end();
  });
  after(() => test.drop());

  it('have a namesake for every trigger function of an app’s table', () => {
    expect(found.map(({ name }) => name)).to.deep.equal(Object.keys(SHARD_TRIGGERS).toSorted());
  });

  it('follow the functions of the migrations', () => {
    const hashes = found.map(({ name, source }) => [
      name,
      createHash('sha256').update(source).digest('hex').slice(0, 16),
    ]);
    expect(Object.fromEntries(hashes)).to.deep.equal(WRITTEN_FOR);
  });
});
