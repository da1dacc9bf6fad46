import { Writable } from 'node:stream';
import { mock } from 'node:test';
import { expect } from 'chai';
import pino from 'pino';
import { Registry } from 'prom-client';
import { createDatabase } from '../../src/start/createDatabase.js';
import { RequestLog } from '../../src/http/RequestLog.js';
import { sweepRequestLog } from '../../src/jobs/sweepRequestLog.js';
import { makeCustomer } from '../support/records.js';
import type { Json, TestPartner } from '../support/TestPartner.js';
import { TestService } from '../support/TestService.js';

const LOG = `query ($first: Int, $after: String, $requestId: String, $status: Int, $failed: Boolean) {
  requestLog(first: $first, after: $after, requestId: $requestId, status: $status, failed: $failed) {
    nodes { requestId method route operation status code durationMs receivedAt } pageInfo {
      hasNextPage endCursor } } }`;
const REQUESTS = '{ overview { requests { requests refused failed p50Ms p99Ms series { requests } } } }';

const CANCEL_SLEEPERS = `SELECT pg_cancel_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND query = 'SELECT pg_sleep(600)'`;

describe('the request log', () => {
  let service: TestService;
  let app: TestPartner;

  before(async () => {
    service = await TestService.start({ REQUEST_LOG_RATE: '1000' });
    app = await service.makeApp();
  });
  after(() => service.stop());

  async function log(variables: Record<string, unknown> = {}, as = app): Promise<Json> {
    const { data, errors } = await as.graphql(LOG, variables);
    expect(errors).to.deep.equal([]);
    return data.requestLog;
  }

  /** Waits until a request was written. */
  async function written(requestId: string): Promise<Json> {
    for (;;) {
      const { nodes } = await log({ requestId });
      if (nodes.length > 0) return nodes[0];
      await new Promise((wake) => setTimeout(wake, 50));
    }
  }

  it('finds a request by its id, with its route and outcome and nothing that it was about', async () => {
    const customer = await makeCustomer(app);
    const fine = await app.rest('GET', `/v1/customers/${customer}?`);
    const missing = await app.rest('GET', '/v1/customers/cus_secret');
    const denied = await app.graphql(
      'query Named($id: ID!) { customer(id: $id) { id } viewer { __typename } }',
      {
        id: 'cus_secret',
      },
    );
    const entry = await written(fine.headers.get('x-request-id') ?? '');
    expect(entry).to.include({ method: 'GET', route: '/v1/customers/:customer_id', status: 200, code: null });
    expect(entry.durationMs).to.be.greaterThan(0);
    const refused = await written(missing.headers.get('x-request-id') ?? '');
    expect(refused).to.include({ status: 404, code: 'not_found' });
    const graphql = await written(denied.headers.get('x-request-id') ?? '');
    expect(graphql).to.include({
      method: 'POST',
      route: '/graphql',
      operation: 'customer,viewer',
      status: 200,
      code: 'not_found',
    });
    expect(JSON.stringify(await service.sql('SELECT * FROM request_log'))).to.not.include('secret');
  });

  it('has refusals at the door of GraphQL too', async () => {
    const json = 'application/json';
    const refused: [status: number, code: string, headers: Record<string, string>, body: string][] = [
      [400, 'invalid_request', {}, '{'],
      [400, 'invalid_request', {}, '[]'],
      [406, 'invalid_request', { accept: 'text/html' }, '{"query":"{__typename}"}'],
      [415, 'unsupported_media_type', { 'content-type': 'text/plain' }, '{"query":"{__typename}"}'],
      [413, 'payload_too_large', {}, `{"query":"{__typename}"${' '.repeat(5_000_000)}}`],
    ];
    const tight = await service.addNode({ RATE_LIMITS: 'read=1,write=1,ingest=1' });
    const send = async (url: string, headers: object, body: string): Promise<string> => {
      const all = { ...app.credentials, 'content-type': json, ...headers };
      const response = await fetch(`${url}/graphql`, { method: 'POST', headers: all, body });
      return response.headers.get('x-request-id') ?? '';
    };
    for (const [status, code, headers, body] of refused)
      expect(await written(await send(service.url, headers, body)), code).to.include({ status, code });
    await send(tight, {}, '{"query":"{__typename}"}');
    expect(await written(await send(tight, {}, '{"query":"{__typename}"}'))).to.include({
      route: '/graphql',
      status: 429,
      code: 'rate_limited',
    });
  });

  it('is filtered by status and outcome, and comes in pages', async () => {
    const missing = await app.rest('GET', '/v1/customers/cus_none');
    await written(missing.headers.get('x-request-id') ?? '');
    const { nodes } = await log({ status: 404 });
    expect(nodes.length).to.be.greaterThan(0);
    expect(nodes.every((node: Json) => node.status === 404)).to.equal(true);
    expect((await log({ failed: true })).nodes.every((node: Json) => node.code !== null)).to.equal(true);
    expect((await log({ failed: false })).nodes.every((node: Json) => node.code === null)).to.equal(true);
    const first = await log({ first: 1 });
    const second = await log({ first: 1, after: first.pageInfo.endCursor });
    expect(second.nodes[0].requestId).to.not.equal(first.nodes[0].requestId);
  });

  it('shows an app its own requests alone, and requires apps:read', async () => {
    const stranger = await service.makeApp();
    const missing = await app.rest('GET', '/v1/customers/cus_none');
    const requestId = missing.headers.get('x-request-id') ?? '';
    await written(requestId);
    expect((await log({ requestId }, stranger)).nodes).to.deep.equal([]);
    const narrow = await service.narrowed(app, 'customers:read');
    expect((await narrow.graphql(LOG)).errors[0]?.extensions['code']).to.equal('INSUFFICIENT_SCOPE');
  });

  it('counts every request for the overview', async () => {
    const own = await service.makeApp();
    const sent = 20;
    let last = '';
    for (let count = 0; count < sent; count += 1) {
      const answer = await own.rest('GET', count < 5 ? '/v1/customers/cus_none' : '/v1/customers');
      last = answer.headers.get('x-request-id') ?? '';
    }
    for (;;) {
      const { nodes } = await log({ requestId: last }, own);
      if (nodes.length > 0) break;
    }
    const { requests } = (await own.graphql(REQUESTS)).data.overview;
    expect(requests.requests).to.be.at.least(sent);
    expect(requests.refused).to.equal(5);
    expect(requests.failed).to.equal(0);
    expect(requests.p50Ms).to.be.within(0.1, requests.p99Ms);
    const inSeries = requests.series.reduce((sum: number, step: Json) => sum + step.requests, 0);
    expect(inSeries).to.equal(requests.requests);
  });

  it('keeps a sample of successes and every failure, and counts the rest', async () => {
    const own = await service.makeApp();
    const { database, clock } = service.services;
    const config = { requestLogRate: 5, requestLines: 0 };
    const sampled = new RequestLog({
      database,
      clock,
      config,
      log: pino({ level: 'silent' }),
      metrics: new Registry(),
    });
    for (let count = 0; count < 100; count += 1)
      sampled.record(answered(own.appId, `r-${count}`, count < 30 ? 'not_found' : undefined));
    await sampled.close();
    const rows = await service.sql(
      `SELECT code FROM request_log WHERE app_id = $1 AND request_id LIKE 'r-%'`,
      [own.appId],
    );
    expect(rows.filter(({ code }) => code === 'not_found')).to.have.length(30);
    expect(rows.filter(({ code }) => code === null)).to.have.length(10);
    const [counted] = await service.sql(
      `SELECT sum(amount)::integer AS amount FROM tally_changes WHERE app_id = $1 AND measure = 'request'
        AND key = 20`,
      [own.appId],
    );
    expect(counted?.amount).to.equal(100);
  });

  it('is written while reads of the app take all connections that they may', async () => {
    const own = await service.makeApp();
    const { clock } = service.services;
    const config = { ...service.services.config, statementTimeoutMs: 60_000, databaseTimeoutMs: 60_000 };
    const log = pino({ level: 'silent' });
    const { url } = service.services.database;
    const database = createDatabase(url, config, log);
    const sleep = { name: 'sleep_long', text: 'SELECT pg_sleep(600)', alone: true };
    const reads = [1, 2, 3].map(() => database.readAs(own.appId, sleep, []).catch(() => undefined));
    const awake = Promise.all(reads).then(() => true);
    try {
      const written = new RequestLog({ database, clock, config, log, metrics: new Registry() });
      written.record(answered(own.appId, 'r-1', undefined));
      await written.close();
      const rows = await service.sql('SELECT request_id FROM request_log WHERE app_id = $1', [own.appId]);
      expect(rows).to.deep.equal([{ request_id: 'r-1' }]);
    } finally {
      const pause = (): Promise<boolean> => new Promise((wake) => setTimeout(() => wake(false), 20));
      while (!(await Promise.race([awake, pause()]))) await service.sql(CANCEL_SLEEPERS);
      await database.close();
    }
  });

  /** A log that calls `write` for the batch of each app. */
  function logTo(write: (appId: string) => Promise<void>): RequestLog {
    const { config, clock, database } = service.services;
    const transaction = (appId: string): Promise<void> => write(appId);
    const stub = { transaction } as unknown as typeof database;
    const log = pino({ level: 'silent' });
    return new RequestLog({ database: stub, clock, config, log, metrics: new Registry() });
  }

  it('survives a database that refuses writes, and drops what it refused', async () => {
    const written: string[] = [];
    const log = logTo((appId) => {
      written.push(appId);
      return Promise.reject(new Error('away'));
    });
    log.record(answered('app_x', 'r-1', undefined));
    await log.close();
    await log.close();
    expect(written).to.deep.equal(['app_x']);
  });

  it('drops what is not written when the end is late', async () => {
    const written: string[] = [];
    const late = new AbortController();
    const log = logTo((appId) => {
      written.push(appId);
      late.abort();
      return Promise.resolve();
    });
    for (const appId of ['app_x', 'app_y', 'app_z']) log.record(answered(appId, 'r-1', undefined));
    await log.close(late.signal);
    expect(written).to.deep.equal(['app_x']);
  });

  it('begins no flush while one is under way, so that a slow database cannot fill the memory', async () => {
    mock.timers.enable({ apis: ['setInterval'] });
    try {
      const written: string[] = [];
      let answer = (): void => undefined;
      const slow = new Promise<void>((resolve) => (answer = resolve));
      const log = logTo((appId) => {
        written.push(appId);
        return slow;
      });
      for (let flush = 0; flush < 5; flush += 1) {
        log.record(answered('app_x', `r-${flush}`, undefined));
        mock.timers.tick(2000);
      }
      answer();
      await log.close();
      expect(written, 'the first request, and all that came meanwhile').to.deep.equal(['app_x', 'app_x']);
    } finally {
      mock.timers.reset();
    }
  });

  it('prints a line for the share of requests that is set, and for every fault', () => {
    const lines: Json[] = [];
    const sink = new Writable({
      write(chunk: Buffer, _encoding, done) {
        lines.push(JSON.parse(chunk.toString()));
        done();
      },
    });
    const { database, clock } = service.services;
    const config = { requestLogRate: 0, requestLines: 25 };
    const printed = new RequestLog({
      database,
      clock,
      config,
      log: pino({ level: 'info' }, sink),
      metrics: new Registry(),
    });
    for (let count = 0; count < 100; count += 1) printed.record(answered('app_x', `r-${count}`, undefined));
    expect(lines).to.have.length(25);
    expect(lines[0]).to.include({
      method: 'GET',
      route: '/v1/x',
      status: 200,
      app_id: 'app_x',
      duration_ms: 3,
    });
    printed.record({ ...answered('app_x', 'fault', 'internal_error'), status: 500 });
    expect(lines.at(-1)).to.include({ request_id: 'fault', status: 500, code: 'internal_error' });
    printed.record({ ...answered('app_x', 'gone', 'unavailable'), status: 499 });
    expect(lines.at(-1)).to.include({ request_id: 'gone', status: 499, code: 'unavailable' });
  });

  it('deletes entries older than a week or beyond the bound', async () => {
    const own = await service.makeApp();
    const insert = `INSERT INTO request_log (app_id, request_id, received_at, method, route, status,
      duration_us)
      SELECT $1, 'old-' || n, now() - $2::interval, 'GET', '/v1/x', 200, 1 FROM generate_series(1, 10) AS n`;
    await service.sql(insert, [own.appId, '8 days']);
    await service.sql(insert.replaceAll('old-', 'new-'), [own.appId, '1 day']);
    await sweepRequestLog(service.services, 4);
    const left = await service.sql('SELECT request_id FROM request_log WHERE app_id = $1 ORDER BY entry_id', [
      own.appId,
    ]);
    expect(left.map(({ request_id }) => request_id)).to.deep.equal(['new-7', 'new-8', 'new-9', 'new-10']);
  });
});

function answered(
  appId: string,
  requestId: string,
  code: string | undefined,
): Parameters<RequestLog['record']>[0] {
  const notes = { requestId, baseUrl: '', appId, ...(code === undefined ? {} : { code }) };
  return { notes, method: 'GET', route: '/v1/x', status: code === undefined ? 200 : 404, durationMs: 3 };
}
