import { availableParallelism } from 'node:os';
import { expect } from 'chai';
import pg from 'pg';
import { ChildService } from '../support/ChildService.js';
import { createTestDatabase } from '../support/database.js';
import type { TestDatabase } from '../support/database.js';
import { claimBody, expectStatus, grant, makeCustomer } from '../support/records.js';
import { itInProofs } from '../support/itInProofs.js';
import type { TestPartner } from '../support/TestPartner.js';
import { registerApp } from '../support/registerApp.js';
import { ok, TestReceiver } from '../support/TestReceiver.js';

const CUSTOMERS = 5;
const CLAIMS = 20;
/** Background transactions of an app at once. */
const TURNS = Math.max(1, availableParallelism() >> 1);
/** Transactions at once that apply items of an app. */
const DRAINS = 2;

describe('The background work of the default process', function () {
  this.timeout(300_000);
  let database: TestDatabase;
  let receiver: TestReceiver;
  const children: ChildService[] = [];

  beforeEach(async () => {
    database = await createTestDatabase();
    receiver = await TestReceiver.start();
  });

  afterEach(async () => {
    for (const child of children.splice(0)) await child.kill();
    await receiver.stop();
    await database.drop();
  });

  async function start(env: Record<string, string> = {}, variant?: string): Promise<ChildService> {
    const child = await ChildService.start(database.ownerUrl, { LOG_LEVEL: 'warn', ...env }, variant);
    children.push(child);
    return child;
  }

  /** An app that hears of every changed profile, or of other events. */
  async function makeApp({ url }: ChildService, event = 'profile.updated'): Promise<TestPartner> {
    const app = await registerApp(url);
    const endpoint = { url: receiver.url(), enabled_events: [event] };
    expectStatus(await app.rest('POST', '/v1/webhook-endpoints', endpoint), 201);
    return app;
  }

  /** Customers, each with claims of so many attributes, accepted in batches. */
  async function sendClaims(app: TestPartner): Promise<void> {
    for (let customer = 0; customer < CUSTOMERS; customer += 1) {
      const id = await makeCustomer(app);
      await grant(app, id, 'personalization');
      const claims = Array.from({ length: CLAIMS }, (_, at) => claimBody(id, { attribute: `topic_${at}` }));
      expectStatus(await app.rest('POST', '/v1/claims/batch', { claims }), 202);
    }
  }

  async function rows<T extends pg.QueryResultRow>(text: string): Promise<T[]> {
    return (await database.sql(text)).rows as T[];
  }

  async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
    while (!(await holds())) await new Promise((wake) => setTimeout(wake, 50));
  }

  async function allFactsMade(): Promise<boolean> {
    const [found] = await rows<{ facts: number }>('SELECT count(*)::int AS facts FROM facts');
    return found?.facts === CUSTOMERS * CLAIMS;
  }

  async function allDelivered(): Promise<boolean> {
    const left = await rows(
      `SELECT FROM webhook_deliveries WHERE status <> 'delivered' UNION ALL SELECT FROM outbox`,
    );
    return left.length === 0;
  }

  itInProofs('is resumed without loss while its thread is killed repeatedly', async () => {
    const service = await start({}, 'processes/dyingWork.js');
    const app = await makeApp(service);
    await sendClaims(app);
    await until(() => service.running.output.split('another takes its place').length > 3);
    await sendClaims(app);
    await until(async () => {
      const [found] = await rows<{ facts: number }>('SELECT count(*)::int AS facts FROM facts');
      return found?.facts === 2 * CUSTOMERS * CLAIMS;
    });
    await until(allDelivered);
    const told = await rows<{ delivery_id: string }>('SELECT delivery_id FROM webhook_deliveries');
    expect(told.length).to.be.greaterThan(0);
    expect(receiver.idsReceived()).to.include.members(told.map(({ delivery_id }) => delivery_id));
    expect(service.running.output).to.include('The thread dies.');
    expect(await service.running.end('SIGTERM')).to.equal(0);
  });

  itInProofs('applies items of an app in at most one transaction for every two processors', async () => {
    const app = await makeApp(await start());
    await whileApplyingWaits(app, async () => {
      // Time for a second transaction to get as far.
      await new Promise((wake) => setTimeout(wake, 1000));
      expect(await waitingForClaims()).to.be.at.most(TURNS);
    });
    await until(allFactsMade);
  });

  itInProofs(
    'delivers webhooks of an app whose transactions that apply items have taken every turn',
    async () => {
      const app = await makeApp(await start(), 'consent.granted');
      await whileApplyingWaits(app, async () => {
        // Those of the customers whose items are applied may wait for that.
        const customer = await makeCustomer(app);
        await grant(app, customer, 'personalization');
        await until(() => receiver.received.some(({ body }) => body.includes(customer)));
        // What waited too long for the lock tries again: a moment without any is passed over.
        await until(async () => (await waitingForClaims()) >= Math.min(TURNS, DRAINS));
      });
      await until(allFactsMade);
    },
  );

  /** Sends claims, and holds a lock that applying them needs until `work` has ended. */
  async function whileApplyingWaits(app: TestPartner, work: () => Promise<void>): Promise<void> {
    const client = new pg.Client({ connectionString: database.ownerUrl });
    await client.connect();
    try {
      await client.query('BEGIN');
      await client.query('LOCK TABLE claims IN EXCLUSIVE MODE');
      await sendClaims(app);
      await until(async () => (await waitingForClaims()) > 0);
      await work();
    } finally {
      await client.end();
    }
  }

  async function waitingForClaims(): Promise<number> {
    return (await rows(`SELECT FROM pg_locks WHERE relation = 'claims'::regclass AND NOT granted`)).length;
  }

  itInProofs('runs in a process of low priority too', async () => {
    const service = await start({}, 'processes/lowPriority.js');
    await sendClaims(await makeApp(service));
    await until(allFactsMade);
    expect(service.running.output).not.to.include('another takes its place');
  });

  it('does not delay requests or the end of the process', async () => {
    const service = await start({}, 'processes/hangingWork.js');
    const app = await makeApp(service);
    const id = await makeCustomer(app);
    await grant(app, id, 'personalization');
    expectStatus(await app.rest('GET', `/v1/profiles/${id}`), 200);
    const metrics = await (await fetch(`${service.url}/metrics`)).text();
    expect(metrics).to.include('http_request_duration_seconds');
    expect(metrics).not.to.include('consent_webhook_pending_deliveries');
    expect(await service.running.end('SIGTERM')).to.equal(0);
  });

  for (const [title, env, test] of [
    ['process', {}, it],
    ['supervisor', { WORKERS: '2' }, itInProofs],
  ] as const)
    test(`stops at a kill -9 of its ${title} and continues after the next start`, async () => {
      const first = await start(env);
      const app = await makeApp(first);
      await sendClaims(app);
      const own = await pidsOnDatabase();
      expect(own).not.to.deep.equal([]);
      await first.kill();
      // PostgreSQL ends the connections of processes that are gone.
      await until(async () => (await pidsOnDatabase()).every((pid) => !own.includes(pid)));
      // The leases of attempts that were under way end.
      await rows(`UPDATE webhook_deliveries SET next_attempt_at = next_attempt_at - interval '30 seconds'`);
      await rows(`UPDATE work_queue SET ready_at = ready_at - interval '30 seconds'`);
      await start(env);
      await until(allFactsMade);
      await until(allDelivered);
    });

  async function pidsOnDatabase(): Promise<number[]> {
    const found = await rows<{ pid: number }>(
      'SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    return found.map(({ pid }) => pid);
  }

  it('records an attempt that was under way when the process gets SIGTERM', async () => {
    const service = await start();
    receiver.answer = (received, response) => {
      service.running.child.kill('SIGTERM');
      setTimeout(() => ok(received, response), 500);
    };
    const app = await makeApp(service);
    const id = await makeCustomer(app);
    await grant(app, id, 'personalization');
    expectStatus(await app.rest('POST', '/v1/claims', claimBody(id)), 202);
    expect(await service.running.end()).to.equal(0);
    const attempts = await rows<{ status_code: number }>('SELECT status_code FROM webhook_attempts');
    expect(attempts).to.deep.equal([{ status_code: 200 }]);
  });

  for (const [title, env, gateways, itHere] of [
    ['its thread', {}, 1, it],
    ['the worker beside several gateways', { WORKERS: '2' }, 2, itInProofs],
  ] as const)
    itHere(`includes the metrics of ${title} in /metrics`, async () => {
      const service = await start(env);
      const app = await makeApp(service);
      await sendClaims(app);
      await until(allFactsMade);
      await until(allDelivered);
      for (let asked = 0; asked < 4; asked += 1) {
        // A connection of its own each time, so that each gateway is asked.
        const answer = await fetch(`${service.url}/metrics`, { headers: { connection: 'close' } });
        const text = await answer.text();
        const applied = `ingest_items_settled_total{kind="claim",outcome="applied"} ${CUSTOMERS * CLAIMS}`;
        expect(text).to.include(applied);
        expect(text).to.include('consent_webhook_pending_deliveries 0');
        // Of both gateways: customers, receipts and batches are each a request of theirs.
        expect(countOf(text, 'POST', '/v1/customers')).to.equal(CUSTOMERS);
        expect(text.match(/^# TYPE http_request_duration_seconds /gm)).to.have.lengthOf(1);
        // Background work keeps no connections for withdrawals.
        expect(text).to.include(`database_reserved_connections{state="most"} ${2 * gateways}\n`);
        expect(text.match(/^build_info\{.*role="(all|gateway)".*\} 1$/gm)).to.have.lengthOf(1);
      }
    });
});

function countOf(text: string, method: string, route: string): number {
  const lines = text.split('\n').filter((line) => line.startsWith('http_request_duration_seconds_count{'));
  const found = lines.filter(
    (line) => line.includes(`method="${method}"`) && line.includes(`route="${route}"`),
  );
  return found.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}
