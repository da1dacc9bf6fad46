import { expect } from 'chai';
import { compileOutput } from '../../rest-bridge/compileOutput.js';
import { resultField } from '../../rest-bridge/compileRoute.js';
import { executableRoute } from '../../rest-bridge/executableRoute.js';
import type { ExecutableRoute } from '../../rest-bridge/executableRoute.js';
import { handleRequest } from '../../rest-bridge/handleRequest.js';
import type { RestRequest } from '../../rest-bridge/handleRequest.js';
import type { Route } from '../../rest-bridge/Route.js';
import { allRoutes } from '../../rest-bridge/routes/allRoutes.js';
import { createContext } from '../../src/access/createContext.js';
import { describeError } from '../../src/access/describeError.js';
import type { Scope } from '../../src/domain/scopes.js';
import { claimBody } from '../support/records.js';
import { freshKey } from '../support/TestPartner.js';
import { ExecutionFixture } from './ExecutionFixture.js';

const QUERIES = [
  '',
  'limit=1',
  'limit=0',
  'consent_purpose=personalization',
  'consent_purpose=support',
  'consent_purpose=none',
];

describe('Compiled routes', () => {
  let fixture: ExecutionFixture;

  before(async () => {
    fixture = await ExecutionFixture.open();
  });
  after(() => fixture.service.stop());

  it('read the facts of a profile as stored text', () => {
    const profile = allRoutes.find(({ operation }) => operation === 'getProfile');
    expect(profile && executableRoute(fixture.compiler, profile).operation.forms.facts).to.equal('rest');
  });

  for (const route of allRoutes.filter(({ method }) => method === 'GET')) {
    it(`give the same answers of ${route.operation} as plain execution`, async () => {
      for (const request of requests(route)) {
        const compiled = await answer(executableRoute(fixture.compiler, route), request);
        expect(compiled).to.deep.equal(await answer(plainRoute(route), request));
      }
    });

    it(`give the same refusals of ${route.operation} without its scopes`, async () => {
      const [request] = requests(route);
      if (request === undefined) throw new Error('A route without a request');
      const scopes: Scope[] = ['events:write'];
      const compiled = await answer(executableRoute(fixture.compiler, route), request, scopes);
      expect(compiled).to.deep.equal(await answer(plainRoute(route), request, scopes));
    });
  }

  it('print a replay of a mutation as plain execution does', async () => {
    const [customerId = ''] = fixture.customers;
    const bodies: Record<string, unknown> = {
      createCustomer: { external_id: 'twice', profile: { username: 'eve' } },
      createConsentReceipt: { customer_id: customerId, purposes: ['support'] },
      ingestClaim: claimBody(customerId),
      ingestClaims: { claims: [claimBody(customerId), { ...claimBody(customerId), confidence: 7 }] },
    };
    for (const [operation, body] of Object.entries(bodies)) {
      const route = allRoutes.find((candidate) => candidate.operation === operation);
      if (route === undefined) throw new Error(`No route ${operation}`);
      const key = freshKey();
      const compiled = await answer(executableRoute(fixture.compiler, route), sending(body, key));
      const plain = await answer(plainRoute(route), sending(body, key));
      expect(plain.text).to.equal(compiled.text);
      expect(plain.status).to.equal(compiled.status);
    }
  });

  function plainRoute(route: Route): ExecutableRoute {
    const compiled = executableRoute(fixture.compiler, route);
    const operation = fixture.plain(compiled.document);
    const { field, node } = resultField(fixture.schema, operation.document);
    if (field === undefined) throw new Error('A route without its field');
    return { ...compiled, operation, render: compileOutput(field.type, node.selectionSet) };
  }

  /** Requests with every id that may fit each parameter, and with queries that fit and do not. */
  function requests(route: Route): RestRequest[] {
    const ids = [...fixture.customers, fixture.receiptId, fixture.app.appId];
    const hasId = route.path.includes(':');
    return (hasId ? ids : ['']).flatMap((id) =>
      QUERIES.map((query) => {
        const params = Object.fromEntries(
          [...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, id]),
        );
        return { ...sending(undefined, undefined), params, query: new URLSearchParams(query) };
      }),
    );
  }

  async function answer(
    route: ExecutableRoute,
    request: RestRequest,
    scopes?: readonly Scope[],
  ): Promise<Seen> {
    const { services } = fixture.service;
    const context = createContext(services, fixture.caller(scopes), 'req_test', route.operation.forms);
    try {
      const { status, headers, body } = await handleRequest(route, request, context);
      const { 'Idempotent-Replayed': _replayed, ...kept } = headers;
      return { status, headers: kept, text: body ?? '' };
    } catch (error) {
      const { status, code, message, facts } = describeError(error);
      return { status, headers: {}, text: JSON.stringify({ code, message, facts }) };
    }
  }
});

interface Seen {
  status: number;
  headers: Record<string, string>;
  text: string;
}

function sending(body: unknown, key: string | undefined): RestRequest {
  const hasBody = body !== undefined;
  return {
    params: {},
    query: new URLSearchParams(),
    idempotencyKey: key,
    contentType: hasBody ? 'application/json' : undefined,
    body: hasBody ? 'announced' : 'none',
    readBody: () => Promise.resolve(Buffer.from(hasBody ? JSON.stringify(body) : '')),
  };
}
