import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { DocumentNode } from 'graphql';
import { createBridge } from '../../rest-bridge/createBridge.js';
import { executableRoute } from '../../rest-bridge/executableRoute.js';
import type { Route } from '../../rest-bridge/Route.js';
import { allRoutes } from '../../rest-bridge/routes/allRoutes.js';
import type { Scope } from '../../src/domain/scopes.js';
import type { CompiledOperation } from '../../src/execution/OperationCompiler.js';
import { OperationCompiler } from '../../src/execution/OperationCompiler.js';
import { beginNotes } from '../../src/http/requestNotes.js';
import { claimBody } from '../support/records.js';
import { freshKey } from '../support/TestPartner.js';
import { ExecutionFixture } from './ExecutionFixture.js';
import { renderRest } from './renderRest.js';

const QUERIES = [
  '',
  'limit=1',
  'limit=0',
  'consent_purpose=personalization',
  'consent_purpose=support',
  'consent_purpose=none',
];

/** Headers whose values differ from answer to answer. */
const VARYING = ['date', 'ratelimit', 'idempotent-replayed'];

/** Executes every operation by graphql-js. */
class PlainCompiler extends OperationCompiler {
  constructor(private readonly fixture: ExecutionFixture) {
    super(fixture.schema);
  }

  override compile(document: DocumentNode): CompiledOperation {
    const { run, ...plain } = this.fixture.plain(document);
    const rendered: CompiledOperation['run'] = async (...given) => {
      const { data, ...result } = await run(...given);
      return { ...result, data: { result: renderRest(this.schema, document, data?.['result']) } };
    };
    return { ...plain, run: rendered };
  }
}

describe('Compiled routes', () => {
  let fixture: ExecutionFixture;
  let compiled: Bridge;
  let plain: Bridge;

  before(async () => {
    fixture = await ExecutionFixture.open();
    compiled = await serve(fixture, fixture.compiler);
    plain = await serve(fixture, new PlainCompiler(fixture));
  });
  after(() => {
    compiled.close();
    plain.close();
    return fixture.service.stop();
  });

  it('can all be compiled', () => {
    for (const route of allRoutes)
      expect(() => executableRoute(fixture.compiler, route), route.operation).not.to.throw();
  });

  it('read the facts of a profile as stored text', () => {
    const profile = allRoutes.find(({ operation }) => operation === 'getProfile');
    expect(profile && executableRoute(fixture.compiler, profile).operation.forms.facts).to.deep.equal({
      storedFor: 'rest',
    });
  });

  for (const route of allRoutes.filter(({ method }) => method === 'GET')) {
    it(`give the same answers of ${route.operation} as plain execution`, async () => {
      for (const url of urls(route)) expect(await compiled.get(url)).to.deep.equal(await plain.get(url));
    });

    it(`give the same refusals of ${route.operation} without its scopes`, async () => {
      const [url = ''] = urls(route);
      expect(await compiled.get(url, 'events:write')).to.deep.equal(await plain.get(url, 'events:write'));
    });
  }

  it('print a replay of a mutation as plain execution does', async () => {
    const [customerId = ''] = fixture.customers;
    const bodies: Record<string, unknown> = {
      '/v1/customers': { external_id: 'twice', profile: { username: 'eve' } },
      '/v1/consent-receipts': { customer_id: customerId, purposes: ['support'] },
      '/v1/claims': claimBody(customerId),
      '/v1/claims/batch': { claims: [claimBody(customerId), { ...claimBody(customerId), confidence: 7 }] },
    };
    for (const [url, body] of Object.entries(bodies)) {
      const key = freshKey();
      const first = await compiled.post(url, body, key);
      expect(first.status).to.be.within(200, 299);
      expect(await plain.post(url, body, key)).to.deep.equal(first);
    }
  });

  /** URLs with every id that may fit each parameter, and with queries that fit and do not. */
  function urls({ path }: Route): string[] {
    const ids = [...fixture.customers, fixture.receiptId, fixture.app.appId];
    const paths = path.includes(':') ? ids.map((id) => path.replaceAll(/:\w+/g, id)) : [path];
    return paths.flatMap((filled) => QUERIES.map((query) => `${filled}?${query}`));
  }
});

interface Seen {
  status: number;
  headers: Record<string, string>;
  text: string;
}

interface Bridge {
  /** @param scope the only scope of the caller; absent: all */
  get(url: string, scope?: Scope): Promise<Seen>;
  post(url: string, body: unknown, key: string): Promise<Seen>;
  close(): void;
}

/** Serves the bridge with operations of the compiler. A bearer token is the caller's only scope, or `all`. */
async function serve(fixture: ExecutionFixture, compiler: OperationCompiler): Promise<Bridge> {
  const { services } = fixture.service;
  const verify = (scope: string) =>
    Promise.resolve(fixture.caller(scope === 'all' ? undefined : [scope.replace('.', ':') as Scope]));
  const bridge = createBridge(services, { verify }, compiler, allRoutes);
  const begin = beginNotes('http://service.example');
  const server = createServer((request, response) => {
    begin(request, response);
    bridge(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const ask = async (url: string, scope: string, init: RequestInit = {}): Promise<Seen> => {
    const headers = { ...init.headers, authorization: `Bearer ${scope}`, 'x-request-id': 'req_test' };
    const response = await fetch(`http://127.0.0.1:${port}${url}`, { ...init, headers });
    const kept = [...response.headers].filter(([name]) => !VARYING.includes(name));
    return { status: response.status, headers: Object.fromEntries(kept), text: await response.text() };
  };
  return {
    get: (url, scope) => ask(url, scope?.replace(':', '.') ?? 'all'),
    post: (url, body, key) => {
      const headers = { 'content-type': 'application/json', 'idempotency-key': key };
      return ask(url, 'all', { method: 'POST', headers, body: JSON.stringify(body) });
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
