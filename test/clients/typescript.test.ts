import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect } from 'chai';
import { createPartnerClient, PageError, paginate, TokenError } from '../../clients/typescript/src/index.js';
import { textOf } from '../docs/MarkdownPage.js';
import { runProgram } from '../support/runProgram.js';

interface Seen {
  method: string;
  path: string;
  key: string | undefined;
  authorization: string | undefined;
}

type Reply =
  [status: number, body: object, headers?: Record<string, string>] | 'hang up' | 'cut in its body' | 'never';

describe('the TypeScript client', () => {
  let server: Server;
  let replies: Reply[];
  let tokenReplies: Reply[];
  let seen: Seen[];

  before((done) => {
    server = createServer((request, response) => {
      const { method = '', url = '', headers } = request;
      seen.push({
        method,
        path: url,
        key: headers['idempotency-key'] as string | undefined,
        authorization: headers.authorization,
      });
      const reply =
        url === '/oauth/token'
          ? (tokenReplies.shift() ?? [200, { access_token: 'token-1', expires_in: 900 }])
          : (replies.shift() ?? [200, {}]);
      if (reply === 'hang up') return void request.socket.destroy();
      if (reply === 'never') return;
      if (reply === 'cut in its body') {
        response.writeHead(202, { 'content-type': 'application/json', 'content-length': '100' });
        return void response.write('{"sequence":', () => request.socket.destroy());
      }
      const [status, body, more = {}] = reply;
      response.writeHead(status, { 'content-type': 'application/json', ...more }).end(JSON.stringify(body));
    }).listen(0, '127.0.0.1', done);
  });

  after(() => {
    server.close();
    server.closeAllConnections();
  });

  beforeEach(() => {
    replies = [];
    tokenReplies = [];
    seen = [];
  });

  const open = () =>
    createPartnerClient({
      baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      credentials: { clientId: 'app_1', clientSecret: 'p:w' },
    });
  const calls = (): Seen[] => seen.filter(({ path }) => path !== '/oauth/token');
  const customer = {
    body: { external_id: 'a' },
    params: { header: { 'Idempotency-Key': 'kept-over-every-try' } },
  };
  const refusal = (code: string): object => ({ error: { code, message: code, request_id: 'req_1' } });

  it('retries passing failures with the same key, and shares one token', async () => {
    const now = { 'retry-after': '0' };
    replies = [
      [429, refusal('rate_limited'), now],
      'hang up',
      [503, refusal('unavailable'), now],
      [201, { status: 'created' }],
    ];
    const { data } = await open().POST('/v1/customers', customer);
    expect(data).to.include({ status: 'created' });
    expect(calls().map(({ key }) => key)).to.deep.equal(Array(4).fill('kept-over-every-try'));
    expect(seen.filter(({ path }) => path === '/oauth/token')).to.have.length(1);
    expect(new Set(calls().map(({ authorization }) => authorization))).to.deep.equal(
      new Set(['Bearer token-1']),
    );
  });

  it('repeats a change whose answer is cut in its body, with the same key', async () => {
    replies = ['cut in its body', [202, { sequence: '1' }]];
    const { data } = await open().POST('/v1/customers', customer);
    expect(data).to.deep.equal({ sequence: '1' });
    expect(calls().map(({ key }) => key)).to.deep.equal(Array(2).fill('kept-over-every-try'));
  });

  it('repeats what a proxy refuses with 429, 502, 503 or 504 in words of its own', async () => {
    const now = { 'retry-after': '0' };
    replies = [...[429, 502, 503, 504].map((status): Reply => [status, {}, now]), [200, {}]];
    expect((await open().GET('/v1/customers')).response.status).to.equal(200);
    expect(calls()).to.have.length(5);
    replies = [[500, {}, now]];
    expect((await open().GET('/v1/customers')).response.status).to.equal(500);
  });

  it('stops at once when its request is aborted, and gives a long wait to its caller', async () => {
    replies = [[503, refusal('unavailable'), { 'retry-after': '30' }]];
    const started = performance.now();
    const aborted = open()
      .GET('/v1/customers', { signal: AbortSignal.timeout(200) })
      .then(
        () => 'answered',
        (error: Error) => error.name,
      );
    expect(await aborted).to.equal('TimeoutError');
    expect(performance.now() - started, 'milliseconds').to.be.below(10_000);
    replies = [[429, refusal('rate_limited'), { 'retry-after': '7200' }]];
    const { response } = await open().GET('/v1/customers');
    expect(response.status).to.equal(429);
  });

  it('throws a refusal of its credentials at once, with the answer', async () => {
    tokenReplies = [[401, { error: 'invalid_client' }]];
    const failure = await open()
      .GET('/v1/customers')
      .catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(TokenError);
    expect((failure as TokenError).response.status).to.equal(401);
    expect(await (failure as TokenError).response.json()).to.deep.equal({ error: 'invalid_client' });
    expect(seen).to.have.length(1);
  });

  it('takes a token again when Retry-After is over, and throws where it asks for a long wait', async () => {
    const limited = (seconds: string): Reply => [429, { error: 'slow_down' }, { 'retry-after': seconds }];
    tokenReplies = [limited('1'), 'cut in its body'];
    const started = performance.now();
    expect((await open().GET('/v1/customers')).response.status).to.equal(200);
    expect(performance.now() - started, 'milliseconds').to.be.at.least(990);
    expect(seen.map(({ path }) => path)).to.deep.equal([...Array(3).fill('/oauth/token'), '/v1/customers']);
    tokenReplies = [limited('7200')];
    const failure = await open()
      .GET('/v1/customers')
      .catch((error: unknown) => error);
    expect((failure as TokenError).response.headers.get('retry-after')).to.equal('7200');
  });

  it('stops when its request is aborted while a token is being taken', async () => {
    tokenReplies = ['never'];
    const started = performance.now();
    const failure = await open()
      .GET('/v1/customers', { signal: AbortSignal.timeout(200) })
      .catch((error: Error) => error);
    expect(failure).to.have.property('name', 'TimeoutError');
    expect(performance.now() - started, 'milliseconds').to.be.below(1_000);
  });

  it('takes a token again when it is not given one within 30 seconds', async () => {
    tokenReplies = ['never'];
    const { timeout } = AbortSignal;
    const bounds: number[] = [];
    AbortSignal.timeout = (milliseconds) => {
      bounds.push(milliseconds);
      return timeout.call(AbortSignal, 100);
    };
    try {
      expect((await open().GET('/v1/customers')).response.status).to.equal(200);
    } finally {
      AbortSignal.timeout = timeout;
    }
    expect(bounds).to.deep.equal([30_000, 30_000]);
  });

  it('takes a new token where the one it has is refused, once in a request, and keeps the key', async () => {
    const unauthenticated: Reply = [401, refusal('unauthenticated')];
    const token = (name: string): Reply => [200, { access_token: name, expires_in: 900 }];
    tokenReplies = [token('first'), token('second'), token('third')];
    replies = [unauthenticated, unauthenticated, [201, {}], [200, {}], unauthenticated, unauthenticated];
    const client = open();
    const sent = await Promise.all([client.POST('/v1/customers', customer), client.GET('/v1/customers')]);
    expect(sent.map(({ response }) => response.ok)).to.deep.equal([true, true]);
    expect(calls().filter(({ key }) => key === 'kept-over-every-try')).to.have.length(2);
    expect((await client.GET('/v1/customers')).error?.error.code).to.equal('unauthenticated');
    const used = ['first', 'first', 'second', 'second', 'second', 'third'];
    expect(calls().map(({ authorization }) => authorization)).to.deep.equal(
      used.map((name) => `Bearer ${name}`),
    );
  });

  it('hands back a refusal of a token that it did not take', async () => {
    replies = [[401, refusal('unauthenticated')]];
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { response } = await createPartnerClient({ baseUrl, accessToken: () => 'own' }).GET(
      '/v1/customers',
    );
    expect(response.status).to.equal(401);
    expect(seen).to.have.length(1);
  });

  it('takes a base URL with a slash at its end', async () => {
    const client = createPartnerClient({
      baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
      credentials: { clientId: 'app_1', clientSecret: 'p:w' },
    });
    await client.GET('/v1/customers');
    expect(seen.map(({ path }) => path)).to.deep.equal(['/oauth/token', '/v1/customers']);
  });

  it('does not retry lasting failures', async () => {
    replies = [[409, refusal('idempotency_conflict')]];
    const { error } = await open().POST('/v1/customers', customer);
    expect(error?.error.code).to.equal('idempotency_conflict');
    expect(calls()).to.have.length(1);
  });

  it('gives up after five tries and shows the last answer', async () => {
    replies = Array.from({ length: 5 }, (): Reply => [429, refusal('rate_limited'), { 'retry-after': '0' }]);
    const { error } = await open().POST('/v1/customers', customer);
    expect(error?.error.code).to.equal('rate_limited');
    expect(calls()).to.have.length(5);
  });

  it('generates a key for a change without one, and keeps one that is given in the headers', async () => {
    const change = { params: { path: { endpoint_id: 'whe_1' } } };
    const headers = { 'Idempotency-Key': 'a-key-of-the-caller' };
    await open().request('post', '/v1/webhook-endpoints/{endpoint_id}/test', change);
    await open().request('post', '/v1/webhook-endpoints/{endpoint_id}/test', { ...change, headers });
    expect(calls()[0]?.key).to.match(/^[0-9a-f-]{36}$/);
    expect(calls()[1]?.key).to.equal('a-key-of-the-caller');
  });

  it('reads every page once, and only when it is needed', async () => {
    const client = open();
    const page = (ids: string[], next?: string): Reply => [
      200,
      {
        data: ids.map((id) => ({ id })),
        pagination: { has_more: next !== undefined, ...(next && { next_cursor: next }) },
      },
    ];
    const list = () =>
      paginate((cursor) =>
        client.GET('/v1/customers', { params: { query: cursor === undefined ? {} : { cursor } } }),
      );
    replies = [page(['a', 'b'], 'n1'), page(['c'])];
    const ids: unknown[] = [];
    for await (const item of list()) ids.push(item.id);
    expect(ids).to.deep.equal(['a', 'b', 'c']);
    expect(calls().map(({ path }) => path)).to.deep.equal(['/v1/customers', '/v1/customers?cursor=n1']);
    seen = [];
    replies = [page(['a', 'b'], 'n1')];
    for await (const item of list()) if (item.id === 'a') break;
    expect(calls()).to.have.length(1);
  });

  it('fails on a page that is refused', async () => {
    replies = [[400, refusal('invalid_request')]];
    const client = open();
    const first = paginate((cursor) =>
      client.GET('/v1/customers', { params: { query: cursor === undefined ? {} : { cursor } } }),
    ).next();
    const failure = await first.catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(PageError);
  });

  for (const page of ['clients/typescript/README.md', 'docs/start/client.md'])
    for (const exactOptionalPropertyTypes of [false, true])
      it(`compiles as ${page} shows it, exactOptionalPropertyTypes ${exactOptionalPropertyTypes}`, async () => {
        expect(await compile(textOf(page, 'ts'), { exactOptionalPropertyTypes })).to.equal('');
      });

  it('offers the paths of /v1 only: those of /oauth take forms, which it does not send', async () => {
    const text = `
      import type { ClientPaths } from '@partner-consent/client';
      const path: \`/v1/\${string}\` = '' as keyof ClientPaths;
      console.log(path);`;
    expect(await compile(text)).to.equal('');
  });

  it('has the paths of the OpenAPI document; after a change: npm run client:generate', () => {
    const document = JSON.parse(readFileSync('schema/openapi.json', 'utf8')) as {
      paths: Record<string, object>;
    };
    const types = readFileSync('clients/typescript/src/schema.d.ts', 'utf8');
    const missing = Object.keys(document.paths).filter((path) => !types.includes(`"${path}": {`));
    expect(missing).to.deep.equal([]);
  });
});

/** What the compiler says of a program that imports the client's package. */
async function compile(text: string, options: Record<string, boolean> = {}): Promise<string> {
  mkdirSync('.tmp', { recursive: true });
  const folder = mkdtempSync('.tmp/client-page-');
  const compilerOptions = {
    module: 'NodeNext',
    target: 'ES2022',
    types: ['node'],
    strict: true,
    noEmit: true,
    ...options,
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['page.ts'] }));
  const source = relative(folder, 'clients/typescript/src/index.js');
  writeFileSync(join(folder, 'page.ts'), text.replace('@partner-consent/client', source));
  try {
    const { stdout } = await runProgram(process.execPath, ['node_modules/typescript/bin/tsc', '-p', folder]);
    return stdout;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
