import { expect } from 'chai';
import pg from 'pg';
import { queryBehind, sendGroup } from '../../src/database/MessageGroup.js';
import { collectGarbage } from '../support/collectGarbage.js';
import { createTestDatabase } from '../support/database.js';
import type { TestDatabase } from '../support/database.js';

/** Remembers what it was asked to send. */
class Recording extends pg.Client {
  readonly sent: unknown[] = [];

  override query = ((query: never) => {
    this.sent.push(query);
    return super.query(query);
  }) as pg.Client['query'];
}

describe('an answered statement', () => {
  let test: TestDatabase;
  let client: Recording;

  before(async () => {
    test = await createTestDatabase();
    // With a bound pg puts a callback of its own around each.
    client = new Recording({ connectionString: test.serviceUrl, query_timeout: 60_000 });
    await client.connect();
  });
  after(async () => {
    await client.end();
    await test.drop();
  });

  const rowsOf = async (): Promise<WeakRef<object>> => {
    const { rows } = await queryBehind(client, [], { text: `SELECT 'kept' AS said` }, []);
    expect(rows).to.deep.equal([{ said: 'kept' }]);
    return new WeakRef(rows);
  };

  const rowsOfFlight = async (): Promise<WeakRef<object>> => {
    const statement = { name: 'kept_of_flight', text: `SELECT 'kept' AS said`, textOnly: true };
    const rows = await new Promise<object>((resolve, reject) => {
      void sendGroup(client, [{ preambles: [], statement, values: [], resolve, reject }]);
    });
    expect(rows).to.deep.equal([{ said: 'kept' }]);
    return new WeakRef(rows);
  };

  it('keeps no rows when it was sent in a group', async () => {
    const rows = await rowsOfFlight();
    await collectGarbage();
    expect(client.sent).to.have.length(1);
    expect(rows.deref()).to.equal(undefined);
    client.sent.length = 0;
  });

  it('keeps no rows while the statement is kept', async () => {
    const rows = await rowsOf();
    await collectGarbage();
    expect(client.sent).to.have.length(1);
    expect(rows.deref()).to.equal(undefined);
  });
});
