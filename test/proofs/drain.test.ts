import { Agent, request } from 'node:http';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import pg from 'pg';
import { ChildService } from '../support/ChildService.js';
import { createTestDatabase } from '../support/database.js';
import type { TestDatabase } from '../support/database.js';
import { execute } from '../support/execute.js';
import { expectStatus, makeCustomer } from '../support/records.js';
import { Relay } from '../support/Relay.js';
import { registerApp } from '../support/registerApp.js';
import type { TestPartner } from '../support/TestPartner.js';
import { TestReceiver, hanging } from '../support/TestReceiver.js';
import { TEST_ADMIN_KEY } from '../support/registerApp.js';
import { recordProof } from '../support/recordProof.js';
import { itInProofs } from '../support/itInProofs.js';
import { LOCK_WAITERS } from '../support/lockWaiters.js';

const CLIENTS = 8;

/** What became of the requests of a load. */
interface Tally {
  answered: number;
  /** Sent, and neither answered nor refused before they were sent. */
  lost: string[];
  notReady: number;
}

describe('A service that gets SIGTERM under load', () => {
  let database: TestDatabase;

  before(async () => {
    database = await createTestDatabase();
  });
  after(() => database.drop());

  function send(agent: Agent, url: string): Promise<{ status: number; reusable: boolean }> {
    return new Promise((resolve, reject) => {
      const sent = request(url, { agent, headers: { 'x-service-admin-key': TEST_ADMIN_KEY } }, (response) => {
        response.resume();
        response.on('error', reject);
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, reusable: response.headers.connection !== 'close' }),
        );
      });
      sent.on('error', reject);
      sent.end();
    });
  }

  /** Sends until the service says that it is not ready, as a load balancer does. */
  async function sendUntilNotReady(base: string, tally: Tally): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    try {
      for (;;) {
        const { status } = await send(agent, `${base}/readyz`);
        if (status !== 200) return void (tally.notReady += 1);
        for (let times = 0; times < 5; times += 1) {
          const answer = await send(agent, `${base}/v1/apps/app_00000000000000000000000000`);
          expect(answer.status).to.equal(404);
          tally.answered += 1;
        }
      }
    } catch (error) {
      tally.lost.push(String((error as NodeJS.ErrnoException).code ?? error));
    } finally {
      agent.destroy();
    }
  }

  async function endUnderLoad(env: Record<string, string>): Promise<Tally & { code: number | null }> {
    const service = await ChildService.start(database.ownerUrl, env);
    const tally: Tally = { answered: 0, lost: [], notReady: 0 };
    const load = Array.from({ length: CLIENTS }, () => sendUntilNotReady(service.url, tally));
    while (tally.answered < 20 * CLIENTS && tally.lost.length === 0)
      await new Promise((wake) => setTimeout(wake, 5));
    const ended = service.running.end('SIGTERM');
    await Promise.all(load);
    return { ...tally, code: await ended };
  }

  it('reports that it is not ready first, answers every request sent, and exits with 0', async () => {
    const { answered, lost, notReady, code } = await endUnderLoad({ DRAIN_MS: '3000' });
    expect({ lost, notReady, code }).to.deep.equal({ lost: [], notReady: CLIENTS, code: 0 });
    expect(answered).to.be.greaterThan(20 * CLIENTS);
  });

  itInProofs('does the same with several processes', async () => {
    const { lost, notReady, code } = await endUnderLoad({ DRAIN_MS: '3000', WORKERS: '2' });
    expect({ lost, notReady, code }).to.deep.equal({ lost: [], notReady: CLIENTS, code: 0 });
  });

  itInProofs('loses requests without the delay (control)', async () => {
    const { lost, notReady } = await endUnderLoad({ DRAIN_MS: '0' });
    expect(lost.length + notReady).to.equal(CLIENTS);
    expect(lost.length).to.be.greaterThan(0);
    recordProof({
      proof: 'drain',
      injected: `SIGTERM under the load of ${CLIENTS} clients, to one process and to several`,
      times: 2,
      checked: '`/readyz` is 503 first, all that was sent is answered, exit 0',
      figure: '0 lost',
      broken: `no drain delay: ${lost.length} of ${CLIENTS} clients lose a request`,
    });
  });
});

describe('A connection whose request is in flight at SIGTERM', () => {
  let database: TestDatabase;
  let service: ChildService;
  let app: TestPartner;
  let customer: string;
  let holder: pg.Client;
  let socket: Socket;

  beforeEach(async () => {
    database = await createTestDatabase();
    service = await ChildService.start(database.ownerUrl, { ROLE: 'gateway', DRAIN_MS: '500' });
    app = await registerApp(service.url);
    customer = await makeCustomer(app);
    holder = new pg.Client(database.ownerUrl);
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT FROM customers WHERE customer_id = $1 FOR UPDATE', [customer]);
    socket = connect(Number(new URL(service.url).port), '127.0.0.1').setEncoding('utf8');
  });
  afterEach(async () => {
    socket.destroy();
    await holder.end();
    await service.kill();
    await database.drop();
  });

  function request(method: string, key: string, body = ''): string {
    const length = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
    return (
      `${method} /v1/customers/${customer} HTTP/1.1\r\nHost: x\r\nIdempotency-Key: ${key.repeat(20)}\r\n` +
      `Authorization: ${app.credentials['authorization']}\r\n${body && length}\r\n${body}`
    );
  }
  const change = (key: string): string => request('PATCH', key, '{"metadata":{"a":1}}');

  async function waits(): Promise<void> {
    while ((await execute(database.ownerUrl, LOCK_WAITERS)).length === 0) await sleep(10);
  }

  /** Status and `Connection` of each answer, until the service closes the connection. */
  async function answers(): Promise<string[]> {
    const text = (await socket.toArray()).join('');
    return [...text.matchAll(/HTTP\/1.1 (\d+).*?\r\nConnection: ([\w-]+)\r\n/gs)].map(
      ([, status, connection]) => `${status} ${connection}`,
    );
  }

  /** SIGTERM, then `late` is sent, and the row is let go once the doors are closed. */
  async function endDuring(late = ''): Promise<{ answered: string[]; code: number | null; ms: number }> {
    await waits();
    const begun = performance.now();
    const ended = service.running.end('SIGTERM');
    await sleep(100);
    socket.write(late);
    setTimeout(() => void holder.query('COMMIT'), 1000);
    const answered = await answers();
    return { answered, code: await ended, ms: performance.now() - begun };
  }

  it('ends with the answer', async () => {
    socket.write(change('a'));
    const { answered, code, ms } = await endDuring();
    expect({ answered, code }).to.deep.equal({ answered: ['200 close'], code: 0 });
    expect(ms).to.be.below(8000);
  });

  it('ends with the last answer when requests were sent behind it, before or after the signal', async () => {
    socket.write(change('a') + request('GET', 'b'));
    const { answered, code } = await endDuring(change('c') + request('GET', 'd'));
    const expected = ['200 keep-alive', '200 keep-alive', '200 keep-alive', '200 close'];
    expect({ answered, code }).to.deep.equal({ answered: expected, code: 0 });
  });

  it('takes no request behind an answer that has said that it is the last', async () => {
    if (socket.connecting) await once(socket, 'connect');
    const ended = service.running.end('SIGTERM');
    await sleep(100);
    // Refused before its body is here, of which the rest is waited for.
    socket.write('POST /v1/customers HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{');
    const [refused] = (await once(socket, 'data')) as [string];
    expect(refused).to.match(/^HTTP\/1.1 401 .*\r\nConnection: close\r\n/s);
    await holder.query('COMMIT');
    socket.write(`}${change('a')}`);
    expect(await answers()).to.deep.equal([]);
    expect(await ended).to.equal(0);
    const rows = await execute(database.ownerUrl, 'SELECT metadata FROM customers');
    expect(rows).to.deep.equal([{ metadata: null }]);
  });
});

describe('A service that gets SIGTERM while its database hangs', () => {
  itInProofs(
    'gives up the last counts of all apps after five seconds, says so once, and exits with 0',
    async () => {
      const database = await createTestDatabase();
      const direct = new URL(database.ownerUrl);
      const relay = await Relay.start(Number(direct.port));
      direct.port = String(relay.port);
      const env = { ROLE: 'gateway', DRAIN_MS: '0', LOG_LEVEL: 'warn' };
      const service = await ChildService.start(direct.href, env);
      try {
        const apps = await Promise.all([1, 2, 3, 4].map(() => registerApp(service.url)));
        for (const app of apps) expectStatus(await app.rest('GET', '/v1/customers'), 200);
        relay.stall();
        const begun = performance.now();
        expect(await service.running.end('SIGTERM')).to.equal(0);
        // A statement may take ten seconds, and each app has one.
        expect(performance.now() - begun).to.be.below(20_000);
        expect(service.running.output.match(/last counts .* are given up/g)).to.have.length(1);
      } finally {
        await service.kill();
        await relay.stop();
        await database.drop();
      }
    },
  );
});

describe('A service that gets SIGTERM while a receiver of webhooks hangs', () => {
  it('exits with 0, and its deliveries are due at once and not counted', async () => {
    const database = await createTestDatabase();
    const receiver = await TestReceiver.start(hanging);
    const service = await ChildService.start(database.ownerUrl);
    try {
      const app = await registerApp(service.url);
      const made = await app.rest('POST', '/v1/webhook-endpoints', {
        url: receiver.url(),
        enabled_events: ['*'],
      });
      const test = `/v1/webhook-endpoints/${expectStatus(made, 201).endpoint.id}/test`;
      for (let sent = 0; sent < 3; sent += 1) expectStatus(await app.rest('POST', test), 202);
      while (receiver.received.length < 3) await new Promise((wake) => setTimeout(wake, 5));
      expect(await service.running.end('SIGTERM')).to.equal(0);
      const left = await execute(
        database.ownerUrl,
        `SELECT status, attempts, lease, next_attempt_at <= now() AS due FROM webhook_deliveries`,
      );
      const due = { status: 'pending', attempts: 0, lease: null, due: true };
      expect(left).to.deep.equal([due, due, due]);
    } finally {
      await service.kill();
      await receiver.stop();
      await database.drop();
    }
  });
});
