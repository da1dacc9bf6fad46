import { expect } from 'chai';
import pg from 'pg';
import { ingestEvents } from '../../../src/commands/ingestEvents.js';
import { createTestDatabase } from '../../support/database.js';
import type { TestDatabase } from '../../support/database.js';
import { IngestFixture } from '../../support/IngestFixture.js';
import { recordProof } from '../../support/recordProof.js';

/** Events whose properties say so cannot be stored as processed. */
const POISON = `
  CREATE FUNCTION refuse_poison() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF NEW.status = 'processed' AND NEW.payload #>> '{properties,poison}' = 'yes' THEN
      RAISE EXCEPTION 'poison' USING ERRCODE = '22023'; END IF;
    RETURN NEW; END $$;
  CREATE TRIGGER refuse_poison BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION refuse_poison();
  CREATE FUNCTION refuse_claim() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'poison'; END $$;`;

describe('An item that cannot be applied', () => {
  let database: TestDatabase;
  let owner: pg.Client;
  let fixture: IngestFixture;

  before(async () => {
    database = await createTestDatabase();
    owner = new pg.Client({ connectionString: database.ownerUrl });
    await owner.connect();
    await owner.query(POISON);
    fixture = new IngestFixture(database.serviceUrl);
    await fixture.prepare();
  });

  after(async () => {
    await fixture.close();
    await owner.end();
    await database.drop();
  });

  /**
   * Sends good, poison, good for one customer and one good event for another; statuses after each round of
   * retries.
   */
  async function run(
    afterRound: () => Promise<void>,
  ): Promise<{ rounds: string[][]; error: unknown; other: string }> {
    fixture.now = new Date('2026-11-20T10:00:00.000Z');
    const [own, others] = [
      await fixture.addCustomer('personalization'),
      await fixture.addCustomer('personalization'),
    ];
    const events = [
      fixture.event(own.id),
      fixture.event(own.id, { properties: { poison: 'yes' } }),
      fixture.event(own.id),
      fixture.event(others.id),
    ];
    const { data } = await fixture.command((tx, context) => ingestEvents(tx, context, { events }));
    const ids = data.map(({ eventId }) => eventId ?? '');
    const rounds: string[][] = [];
    for (const wait of [0, 0.5, 1, 2, 4, 8]) {
      fixture.now = new Date(fixture.now.getTime() + wait * 1000);
      await fixture.work();
      rounds.push(await statusesOf(ids.slice(0, 3)));
      await afterRound();
    }
    const [failed] = await fixture.rows('SELECT error FROM events WHERE app_id = $1 AND event_id = $2', [
      ids[1],
    ]);
    return { rounds, error: failed?.['error'], other: (await statusesOf(ids.slice(3))).join('') };
  }

  async function statusesOf(ids: string[]): Promise<string[]> {
    const rows = await fixture.rows<{ event_id: string; status: string }>(
      'SELECT event_id, status FROM events WHERE app_id = $1 AND event_id = ANY ($2)',
      [ids],
    );
    return ids.map((id) => rows.find((row) => row.event_id === id)?.status ?? 'waits');
  }

  const WAITING = ['processed', 'waits', 'waits'];
  const DONE = ['processed', 'failed', 'processed'];

  it('is retried five times with growing delays, then fails, and delays no other customer', async () => {
    const { rounds, error, other } = await run(() => Promise.resolve());
    expect(rounds).to.deep.equal([WAITING, WAITING, WAITING, WAITING, WAITING, DONE]);
    expect(error).to.deep.equal({
      code: 'processing_failed',
      message: 'Processing failed 6 times (SQLSTATE 22023).',
    });
    expect(other).to.equal('processed');
  });

  it('blocks its customer when failures are not counted (control)', async () => {
    const forget = (): Promise<unknown> =>
      fixture.rows('UPDATE inbox SET attempts = 0 WHERE app_id = $1 RETURNING 1');
    const { rounds } = await run(() => forget().then(() => undefined));
    expect(rounds.at(-1)).to.deep.equal(WAITING);
    recordProof({
      proof: 'ingest/poison',
      injected: 'an event that can never be stored, between good ones',
      times: 1,
      checked: 'retried five times with growing waits, then failed with its reason; nobody else waits for it',
      figure: 'failed in the sixth round; those behind it and of others are processed',
      broken: 'failures that are not counted: it waits for ever, and so do those behind it',
    });
    await fixture.rows('DELETE FROM inbox WHERE app_id = $1 RETURNING 1');
  });
});
