import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { expect } from 'chai';
import pg from 'pg';
import { startService } from '../../src/app.js';
import { configFrom } from '../../src/config.js';
import { freePort } from '../support/freePort.js';
import { makeCustomer } from '../support/records.js';
import type { Json, TestPartner } from '../support/TestPartner.js';
import { testEnvironment, TestService } from '../support/TestService.js';

const KEY = 'k'.repeat(20);

describe('A request whose client hangs up', () => {
  let service: TestService;
  let app: TestPartner;

  before(async () => {
    service = await TestService.start();
    app = await service.makeApp();
  });
  after(() => service.stop());

  /** Sends requests and hangs up when the last has arrived. Returns when the service has seen it. */
  async function hangUp(
    text: string,
    lastId: string,
    { url = service.url, half = false } = {},
  ): Promise<void> {
    const { hostname, port } = new URL(url);
    const closed = closeOf(lastId);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined).write(text);
    await closed.arrived;
    if (half) socket.end();
    else socket.destroy();
    await closed.closed;
  }

  function head(method: string, path: string, requestId: string, more = ''): string {
    return (
      `${method} ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${app.credentials['authorization']}\r\n` +
      `X-Request-Id: ${requestId}\r\nIdempotency-Key: ${KEY}-${requestId}\r\n${more}\r\n`
    );
  }

  const deletion = (customer: string, requestId: string): string =>
    head('DELETE', `/v1/customers/${customer}`, requestId);

  /** Entries of the request, once there are any. */
  async function kept(requestId: string): Promise<Json[]> {
    for (;;) {
      const rows = await service.sql('SELECT * FROM request_log WHERE request_id = $1', [requestId]);
      if (rows.length > 0) return rows;
      await new Promise((wake) => setTimeout(wake, 50));
    }
  }

  /** Does work while nobody else gets at the table. */
  async function whileLocked(table: string, work: () => Promise<void>): Promise<void> {
    const holder = new pg.Client({ connectionString: service.database.ownerUrl });
    await holder.connect();
    try {
      await holder.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
      await work();
    } finally {
      await holder.end();
    }
  }

  async function counted(url: string, labels: string): Promise<number> {
    const text = await (await fetch(`${url}/metrics`)).text();
    const [line = ''] = text.split('\n').filter((one) => one.includes(`_seconds_count{${labels}}`));
    return Number(line.split(' ')[1] ?? 0);
  }

  const GONE = { status: 499, code: 'client_closed' };

  it('is recorded once when it is done, as one without an answer', async () => {
    const labels = 'method="DELETE",route="/v1/customers/:customer_id",status="499"';
    const customers = [await makeCustomer(app), await makeCustomer(app)];
    const [closed = '', halfClosed = ''] = customers;
    await whileLocked('customers', async () => {
      await hangUp(deletion(closed, 'closed'), 'closed');
      await hangUp(deletion(halfClosed, 'half-closed'), 'half-closed', { half: true });
    });
    for (const requestId of ['closed', 'half-closed']) {
      const entries = await kept(requestId);
      expect(entries, requestId).to.have.length(1);
      expect(entries[0], requestId).to.include({
        ...GONE,
        method: 'DELETE',
        route: '/v1/customers/:customer_id',
        app_id: app.appId,
      });
    }
    for (const customer of customers)
      expect((await app.rest('GET', `/v1/customers/${customer}`)).status).to.equal(404);
    expect(await counted(service.url, labels)).to.equal(2);
  });

  /** How many of the app's requests failed, added up by the hour already or not yet. */
  async function failures(): Promise<number> {
    const [row] = await service.sql(
      `SELECT coalesce(sum(amount), 0)::integer AS amount
         FROM (SELECT app_id, measure, amount FROM tallies
               UNION ALL SELECT app_id, measure, amount FROM tally_changes) t
        WHERE app_id = $1 AND measure = 'request_failed'`,
      [app.appId],
    );
    return Number(row?.['amount']);
  }

  it('has the error of its handler, and counts as failed where that is a fault', async () => {
    const url = await service.addNode({ STATEMENT_TIMEOUT_MS: '300' });
    const customer = await makeCustomer(app);
    const before = await failures();
    await whileLocked('customers', async () => {
      await hangUp(deletion(customer, 'failed'), 'failed', { url });
      expect((await kept('failed'))[0]).to.include({ status: 499, code: 'unavailable' });
    });
    expect(await failures()).to.equal(before + 1);
    await whileLocked('customers', () => hangUp(deletion('nobody', 'unknown'), 'unknown'));
    expect((await kept('unknown'))[0]).to.include({ status: 499, code: 'not_found' });
  });

  it('is recorded with its app, which is known only later', async () => {
    // This node has not seen the token.
    const url = await service.addNode();
    const body = JSON.stringify({ query: '{ viewer { __typename } }' });
    await whileLocked('oauth_artifacts', async () => {
      await hangUp(head('GET', '/v1/customers', 'by-rest'), 'by-rest', { url });
      await hangUp(head('POST', '/graphql', 'by-graphql', typed(body)) + body, 'by-graphql', { url });
    });
    const gone = { ...GONE, app_id: app.appId };
    expect((await kept('by-rest'))[0]).to.include({ ...gone, operation: 'listCustomers' });
    expect((await kept('by-graphql'))[0]).to.include(gone);
  });

  it('has the status that was sent when it is a stream', async () => {
    const customer = await makeCustomer(app);
    const query = `subscription { consentChanged(customerId: "${customer}") { customerId } }`;
    const body = JSON.stringify({ query });
    const stream = new AbortController();
    const headers = { ...app.credentials, accept: 'text/event-stream', 'x-request-id': 'stream' };
    await fetch(`${service.url}/graphql`, {
      method: 'POST',
      signal: stream.signal,
      headers: { ...headers, 'content-type': 'application/json' },
      body,
    });
    stream.abort();
    expect((await kept('stream'))[0]).to.include({
      status: 200,
      code: null,
      operation: 'consentChanged',
      app_id: app.appId,
    });
  });

  it('is recorded by a process that ends meanwhile', async () => {
    const env = testEnvironment(await freePort(), service.database.ownerUrl);
    const node = await startService(configFrom(env));
    const customer = await makeCustomer(app);
    let stopped: Promise<void> | undefined;
    await whileLocked('oauth_artifacts', async () => {
      await hangUp(deletion(customer, 'stopping'), 'stopping', { url: node.url });
      stopped = node.stop();
      await new Promise((wake) => setTimeout(wake, 300));
    });
    await stopped;
    expect((await kept('stopping'))[0]).to.include({ ...GONE, app_id: app.appId });
  });
});

function typed(body: string): string {
  return `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
}

/** When the service gets a request, and when its side of that connection is closed. */
function closeOf(requestId: string): { arrived: Promise<void>; closed: Promise<void> } {
  let close = (): void => undefined;
  const closed = new Promise<void>((resolve) => (close = resolve));
  const arrived = new Promise<void>((resolve) => {
    const look = (message: unknown): void => {
      const { request, socket } = message as { request: IncomingMessage; socket: Socket };
      if (request.headers['x-request-id'] !== requestId) return;
      unsubscribe('http.server.request.start', look);
      socket.once('close', close);
      resolve();
    };
    subscribe('http.server.request.start', look);
  });
  return { arrived, closed };
}
