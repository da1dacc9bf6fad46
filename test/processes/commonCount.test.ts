import { execFileSync } from 'node:child_process';
import { Agent, request } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { expect } from 'chai';
import { childrenOf } from '../support/childrenOf.js';
import { ChildService } from '../support/ChildService.js';
import { createTestDatabase } from '../support/database.js';
import type { TestDatabase } from '../support/database.js';
import { freshKey } from '../support/TestPartner.js';
import type { TestPartner } from '../support/TestPartner.js';
import { itInProofs } from '../support/itInProofs.js';
import { grant, makeCustomer } from '../support/records.js';
import { registerApp } from '../support/registerApp.js';

const READS = 24;
/** Large enough for gateways to count some points without asking. */
const WRITES = 600;
const GATEWAYS = 2;

interface Told {
  status: number;
  remaining: number;
  headers: IncomingHttpHeaders;
}

/** A client with one connection, which one gateway serves. */
class KeptConnection {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });
  private readonly sockets = new Set<unknown>();

  constructor(
    private readonly partner: TestPartner,
    private readonly url: string,
  ) {}

  /** How many connections it took. */
  get opened(): number {
    return this.sockets.size;
  }

  send(method: string, path: string, body?: string): Promise<Told> {
    return new Promise((resolve, reject) => {
      const headers = {
        ...this.partner.credentials,
        ...(method === 'GET' ? {} : { 'idempotency-key': freshKey() }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      };
      const sent = request(this.url + path, { method, agent: this.agent, headers }, (response) => {
        response.resume().on('end', () => {
          const [, remaining] = /r=(\d+)/.exec(String(response.headers['ratelimit'])) ?? [];
          resolve({
            status: response.statusCode ?? 0,
            remaining: Number(remaining),
            headers: response.headers,
          });
        });
      });
      sent.on('socket', (socket) => this.sockets.add(socket)).on('error', reject);
      sent.end(body);
    });
  }

  read(): Promise<Told> {
    return this.send('GET', `/v1/apps/${this.partner.appId}`);
  }

  /** A write that is refused for its body, after it was charged. */
  write(): Promise<Told> {
    return this.send('POST', '/v1/customers', '{}');
  }

  close(): void {
    this.agent.destroy();
  }
}

describe('The rate limits of several gateways', () => {
  let database: TestDatabase;
  let service: ChildService;
  const open: KeptConnection[] = [];

  before(async () => {
    database = await createTestDatabase();
    const RATE_LIMITS = `read=${READS},write=${WRITES},token=120`;
    service = await ChildService.start(database.ownerUrl, {
      ROLE: 'gateway',
      WORKERS: String(GATEWAYS),
      RATE_LIMITS,
    });
  });
  afterEach(() => {
    for (const connection of open.splice(0)) connection.close();
  });
  after(async () => {
    await service?.running.end('SIGTERM');
    await database?.drop();
  });

  /** New connections go to the gateways in turn. */
  async function connectAll(partner: TestPartner, count: number): Promise<KeptConnection[]> {
    const made = Array.from({ length: count }, () => new KeptConnection(partner, service.url));
    open.push(...made);
    for (const connection of made) expect((await connection.send('GET', '/healthz')).status).to.equal(200);
    return made;
  }

  async function connect(partner: TestPartner): Promise<KeptConnection> {
    const [made] = await connectAll(partner, 1);
    if (made === undefined) throw new Error('There is no connection.');
    return made;
  }

  function gateways(): number[] {
    return childrenOf(service.running.child.pid).filter((pid) =>
      execFileSync('ps', ['-o', 'args=', '-p', String(pid)]).includes('main.js'),
    );
  }

  it('leave a client with one connection its whole limit, and name it', async () => {
    const client = await connect(await registerApp(service.url));
    for (let left = READS - 1; left >= 0; left -= 1) {
      const told = await client.read();
      expect([told.status, told.remaining]).to.deep.equal([200, left]);
      expect(told.headers['ratelimit-policy']).to.equal(`"read";q=${READS};w=60`);
    }
    const refused = await client.read();
    expect([refused.status, refused.remaining]).to.deep.equal([429, 0]);
    expect(Number(refused.headers['retry-after'])).to.be.within(1, 60);
    expect(client.opened).to.equal(1);
  });

  it('are one limit for connections to all of them, which no gateway hands out again', async () => {
    const partner = await registerApp(service.url);
    const clients = await connectAll(partner, 2 * GATEWAYS);
    const seen: Told[] = [];
    while (seen.length < READS + 6)
      for (const client of clients) if (seen.length < READS + 6) seen.push(await client.read());
    const left = Array.from({ length: READS }, (_, index) => READS - 1 - index);
    expect(seen.map(({ remaining }) => remaining)).to.deep.equal([...left, 0, 0, 0, 0, 0, 0]);
    expect(seen.filter(({ status }) => status === 200)).to.have.length(READS);
    const other = await connect(await registerApp(service.url));
    expect((await other.read()).remaining, 'of another app').to.equal(READS - 1);
  });

  it('hold under requests that arrive together, up to what gateways count without asking', async () => {
    const clients = await connectAll(await registerApp(service.url), 8);
    const each = Math.ceil((1.5 * WRITES) / clients.length);
    const played = clients.map(async (client) => {
      const statuses: number[] = [];
      for (let times = 0; times < each; times += 1) statuses.push((await client.write()).status);
      return statuses;
    });
    const statuses = (await Promise.all(played)).flat();
    const taken = statuses.filter((status) => status === 422).length;
    expect(statuses.filter((status) => status !== 422 && status !== 429)).to.deep.equal([]);
    expect(taken).to.be.within(WRITES, WRITES * 1.05);
  });

  itInProofs('outlive the gateways, which clients may be talking to as they are killed', async () => {
    const partner = await registerApp(service.url);
    const client = await connect(partner);
    for (let times = 0; times < READS; times += 1) await client.read();
    const before = Date.now();
    const told = await client.read();
    expect(told.status).to.equal(429);
    const endsAt = before + (Number(told.headers['retry-after']) - 1) * 1000;
    const pids = gateways();
    expect(pids).to.have.length(GATEWAYS);
    for (const [index, pid] of pids.entries()) {
      const busy = await connectAll(await registerApp(service.url), 8);
      const load = busy.map(async (connection) => {
        for (let times = 0; times < 30; times += 1) await connection.write();
      });
      await busy[0]?.write();
      process.kill(pid, 'SIGKILL');
      await Promise.allSettled(load);
      while (service.running.output.split('was replaced').length <= index + 1)
        await new Promise((wake) => setTimeout(wake, 20));
    }
    for (const connection of await connectAll(partner, 2 * GATEWAYS)) {
      const { status } = await connection.read();
      expect(status).to.equal(Date.now() < endsAt ? 429 : 200);
    }
  });

  it('refuse no revocation and no read while the supervisor hangs', async () => {
    const partner = await registerApp(service.url);
    const receiptId = await grant(partner, await makeCustomer(partner), 'analytics');
    const clients = await connectAll(partner, GATEWAYS);
    const { pid = 0 } = service.running.child;
    process.kill(pid, 'SIGSTOP');
    try {
      for (const client of clients) {
        expect((await client.read()).status).to.equal(200);
        const told = await client.send('POST', `/v1/consent-receipts/${receiptId}/revoke`);
        expect([told.status, told.headers['ratelimit-policy']]).to.deep.equal([
          202,
          `"revoke";q=${WRITES};w=60`,
        ]);
      }
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    for (const client of clients) expect((await client.read()).status).to.equal(200);
  });
});
