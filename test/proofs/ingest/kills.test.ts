import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { startEmbeddedPostgres } from '../../../src/database/embedded/startEmbeddedPostgres.js';
import type { EmbeddedPostgres } from '../../../src/database/embedded/startEmbeddedPostgres.js';
import { migrate } from '../../../src/database/migrate.js';
import { execute } from '../../support/execute.js';
import { TEST_SECRETS_KEY } from '../../support/database.js';
import { IngestFixture } from '../../support/IngestFixture.js';
import { KillableFleet } from './KillableFleet.js';
import { recordProof } from '../../support/recordProof.js';
import { IN_PROOFS, itInProofs } from '../../support/itInProofs.js';

interface Scale {
  requests: number;
  workerKills: number;
  gatewayKills: number;
  backendKills: number;
}

const SCALE: Scale = IN_PROOFS
  ? { requests: 3000, workerKills: 100, gatewayKills: 30, backendKills: 10 }
  : { requests: 300, workerKills: 8, gatewayKills: 4, backendKills: 1 };

const EVENTS_OF_REQUEST = 5;
const CUSTOMERS = 12;
const GATEWAYS = 2;

/** Notes in which order events were settled, whoever settles them. */
const TRACE = `
  CREATE TABLE trace (place bigserial PRIMARY KEY, customer_id text NOT NULL, sequence bigint NOT NULL);
  GRANT INSERT ON trace TO PUBLIC;
  GRANT USAGE ON SEQUENCE trace_place_seq TO PUBLIC;
  CREATE FUNCTION note_settled() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO trace (customer_id, sequence) VALUES (NEW.customer_id, NEW.sequence); RETURN NULL; END $$;
  CREATE TRIGGER note_settled AFTER INSERT ON events FOR EACH ROW EXECUTE FUNCTION note_settled();`;

/**
 * Everything that was accepted, and what became of it. `gaps`: places of a customer's series that nothing
 * has.
 */
const ACCOUNTS = `
  WITH items AS (SELECT customer_id, sequence FROM events UNION ALL SELECT customer_id, sequence FROM inbox)
  SELECT (SELECT coalesce(sum(sequence), 0) FROM customer_heads)::int AS accepted,
         (SELECT count(*) FROM events WHERE status = 'processed')::int AS applied,
         (SELECT count(*) FROM events WHERE status = 'rejected')::int AS rejected,
         (SELECT count(*) FROM events WHERE status = 'failed')::int AS failed,
         (SELECT count(*) FROM inbox)::int AS queued,
         (SELECT count(*) FROM idempotency_keys)::int AS keys,
         (SELECT count(*) FROM (SELECT FROM trace GROUP BY customer_id, sequence HAVING count(*) > 1) twice)::int AS applied_twice,
         (SELECT count(*) FROM (SELECT sequence < lag(sequence) OVER (PARTITION BY customer_id ORDER BY place) AS back FROM trace) t
           WHERE back)::int AS out_of_order,
         (SELECT count(*) FROM customer_heads h CROSS JOIN generate_series(1, h.sequence) AS place (sequence)
           WHERE NOT EXISTS (SELECT FROM items i WHERE i.customer_id = h.customer_id AND i.sequence = place.sequence))::int AS gaps`;

type Accounts = Record<
  | 'accepted'
  | 'applied'
  | 'rejected'
  | 'failed'
  | 'queued'
  | 'keys'
  | 'applied_twice'
  | 'out_of_order'
  | 'gaps',
  number
>;

describe('Ingestion while workers, gateways and backends are killed', function () {
  this.timeout(3_600_000);
  let dataDir: string;
  let postgres: EmbeddedPostgres;
  let serviceUrl: string;
  let fixture: IngestFixture;
  let fleet: KillableFleet;
  let figure = '';

  beforeEach(async () => {
    dataDir = mkdtempSync(join(realpathSync(tmpdir()), 'consent-proof-'));
    const log = { info: () => undefined, warn: () => undefined };
    postgres = await startEmbeddedPostgres({ dataDir, log, systemRoom: join(dataDir, 'system') });
    ({ serviceUrl } = await migrate(postgres.url, { secretsKey: TEST_SECRETS_KEY }));
    fixture = new IngestFixture(serviceUrl);
    await fixture.prepare();
    await asOwner(TRACE);
    fleet = new KillableFleet();
  });

  afterEach(async () => {
    await fleet.destroy();
    await fixture.close();
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const asOwner = <T>(text: string): Promise<T[]> => execute(postgres.url, text);

  /**
   * Runs the load with kills at random moments until all requests were answered and nothing waits; the
   * accounts.
   */
  async function run(role: 'worker' | 'careless', scale: Scale): Promise<Accounts> {
    const customers: string[] = [];
    for (let index = 0; index < CUSTOMERS; index += 1)
      customers.push((await fixture.addCustomer('personalization')).id);
    for (let index = 0; index < GATEWAYS; index += 1)
      fleet.addGateway(
        serviceUrl,
        fixture.appId,
        join(dataDir, `gateway-${index}`),
        String(scale.requests),
        ...customers,
      );
    for (let index = 0; index < 2; index += 1) fleet.addWorker(role, serviceUrl, fixture.appId);
    await Promise.all([killAtRandom(scale), ...fleet.gateways.map((gateway) => gateway.finished())]);
    await untilQuiet();
    await Promise.all(fleet.workers.map((worker) => worker.end()));
    return accounts();
  }

  /** Until nothing waits any more, or what waits has been stuck for seconds. */
  async function untilQuiet(): Promise<void> {
    let before = -1;
    for (let stuck = 0; stuck < 30; stuck += 1) {
      const { queued } = await accounts();
      if (queued === 0) return;
      if (queued !== before) stuck = 0;
      before = queued;
      await sleep(200);
    }
  }

  async function killAtRandom({ workerKills, gatewayKills, backendKills }: Scale): Promise<void> {
    const kills = shuffled([
      ...Array<() => unknown>(workerKills).fill(() => any(fleet.workers)?.kill()),
      ...Array<() => unknown>(gatewayKills).fill(() => any(fleet.gateways)?.kill()),
      ...Array<() => unknown>(backendKills).fill(killBackend),
    ]);
    for (const kill of kills) await kill();
  }

  /** PostgreSQL answers the death of one backend by ending all the others and recovering. */
  async function killBackend(): Promise<void> {
    const [backend] = await untilAnswered<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE application_name = 'consent-profile-service' ORDER BY random() LIMIT 1`,
    );
    if (backend === undefined) return;
    try {
      process.kill(backend.pid, 'SIGKILL');
    } catch (error) {
      // It ended by itself since it was listed: its client was killed just before.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
    await sleep(500);
  }

  async function accounts(): Promise<Accounts> {
    const [row] = await untilAnswered<Accounts>(ACCOUNTS);
    if (row === undefined) throw new Error('The accounts are one row.');
    return row;
  }

  /** The server may be recovering from a kill. */
  async function untilAnswered<T>(text: string): Promise<T[]> {
    for (;;) {
      try {
        return await asOwner<T>(text);
      } catch {
        await sleep(100);
      }
    }
  }

  it('applies every item once, in order and without gaps', async () => {
    const found = await run('worker', SCALE);
    const { workerKills, gatewayKills, backendKills } = SCALE;
    console.log(
      `      killed: ${workerKills} workers, ${gatewayKills} gateways, ${backendKills} backends; ${JSON.stringify(found)}`,
    );
    const accepted = GATEWAYS * SCALE.requests * EVENTS_OF_REQUEST;
    expect(found).to.deep.equal({
      accepted,
      applied: accepted,
      rejected: 0,
      failed: 0,
      queued: 0,
      keys: GATEWAYS * SCALE.requests,
      applied_twice: 0,
      out_of_order: 0,
      gaps: 0,
    });
    figure = `${accepted} accepted and applied once, in order, without a gap`;
  });

  itInProofs('loses items when effect and removal are two transactions (control)', async () => {
    const found = await run('careless', { requests: 60, workerKills: 0, gatewayKills: 0, backendKills: 0 });
    console.log(`      ${JSON.stringify(found)}`);
    expect(found.applied).to.be.lessThan(found.accepted);
    expect(found.gaps).to.be.greaterThan(0);
    const { workerKills, gatewayKills, backendKills } = SCALE;
    recordProof({
      proof: 'ingest/kills',
      injected: `kill -9 of ${workerKills} workers, ${gatewayKills} gateways and ${backendKills} backends under load`,
      times: workerKills + gatewayKills + backendKills,
      checked: 'nothing accepted is lost, applied twice or out of order',
      figure,
      broken: `effect and removal in two transactions: ${found.accepted - found.applied} of ${found.accepted} lost`,
    });
  });
});

function any<T>(items: readonly T[]): T | undefined {
  return items[Math.floor(Math.random() * items.length)];
}

function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, at: Math.random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
