import { hash } from 'node:crypto';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import { HeaderMap } from '@apollo/server';
import type { ApolloServer } from '@apollo/server';
import { expect } from 'chai';
import { Registry } from 'prom-client';
import fc from 'fast-check';
import { createContext } from '../../src/access/createContext.js';
import type { RequestContext } from '../../src/access/RequestContext.js';
import { ALL_SCOPES } from '../../src/domain/scopes.js';
import type { Scope } from '../../src/domain/scopes.js';
import { createApolloServer } from '../../src/graphql/createApolloServer.js';
import { Documents } from '../../src/graphql/Documents.js';
import { LiveDoor } from '../../src/graphql/live/LiveDoor.js';
import { LiveChanges } from '../../src/live/LiveChanges.js';
import { Notices } from '../../src/database/Notices.js';
import { OperationMetrics } from '../../src/graphql/OperationMetrics.js';
import { graphqlDoor } from '../../src/graphql/graphqlDoor.js';
import { beginNotes } from '../../src/http/requestNotes.js';
import { InvalidOperation } from '../../src/graphql/InvalidOperation.js';
import { GRAPHQL_TYPE, JSON_TYPE } from '../../src/graphql/mediaType.js';
import { fullSelection, generateOperation } from '../execution/generateOperation.js';
import { withFragments } from '../execution/withFragments.js';
import { ExecutionFixture } from '../execution/ExecutionFixture.js';
import { turnsDuring } from '../support/turnsDuring.js';

const SCOPES: Scope[][] = [[...ALL_SCOPES], ['customers:read', 'profile:read'], ['events:write']];
/** `Accept` as clients send it, with the media type that Apollo Server would choose. */
const CLIENTS: [string, string][] = [
  ['*/*', JSON_TYPE],
  ['application/json', JSON_TYPE],
  ['application/graphql-response+json', GRAPHQL_TYPE],
  ['application/graphql-response+json,application/json;q=0.9', GRAPHQL_TYPE],
  ['application/graphql-response+json, application/json, multipart/mixed', GRAPHQL_TYPE],
  [
    'application/graphql-response+json, application/graphql+json, application/json, text/event-stream, multipart/mixed',
    GRAPHQL_TYPE,
  ],
];
const HEADERS = ['content-type', 'cache-control', 'www-authenticate', 'ratelimit-policy'];
const PROFILE = `query profile($id: ID!, $purpose: ConsentPurpose) {
  resolvedProfile(customerId: $id, consentPurpose: $purpose) {
    customerId facts { ${fullSelection('graphql')} } resolvedAt } }`;

interface Body {
  query?: string;
  operationName?: string | null;
  variables?: Record<string, unknown>;
}

interface Seen {
  status: number;
  headers: Record<string, string | null>;
  text: string;
}

/** The door does not repeat an invalid value of a variable. */
function withoutValues(text: string): string {
  return text.replace(/(" got invalid value) .+?; /g, '$1; ');
}

function withSortedErrors({ text, ...rest }: Seen): unknown {
  const { errors = [], data } = JSON.parse(text) as { errors?: unknown[]; data?: unknown };
  return {
    ...rest,
    data: JSON.stringify(data),
    errors: errors.map((error) => JSON.stringify(error)).toSorted(),
  };
}

describe('The GraphQL door compared with Apollo Server alone', () => {
  let fixture: ExecutionFixture;
  let apollo: ApolloServer<RequestContext>;
  let documents: Documents;
  let changes: LiveChanges;
  let server: Server;
  let url: string;
  let scopes: readonly Scope[] = ALL_SCOPES;

  before(async () => {
    fixture = await ExecutionFixture.open();
    const { services } = fixture.service;
    apollo = createApolloServer(services, new Documents(fixture.compiler));
    await apollo.start();
    documents = new Documents(fixture.compiler, { compileAfter: 0 });
    const verifier = { verify: () => Promise.resolve(fixture.caller(scopes)) };
    const executor = createApolloServer(services, documents);
    await executor.start();
    changes = new LiveChanges({ ...services, notices: new Notices(services), recheckMs: 15_000 });
    const live = new LiveDoor({ services, documents, changes });
    const metrics = new OperationMetrics(new Registry());
    const parts = { services, verifier, documents, apollo: executor, live, sessionDoors: [], metrics };
    const door = graphqlDoor(parts);
    server = createServer((request, response) => {
      request.headers['x-request-id'] = 'same';
      beginNotes(services.config.baseUrl)(request, response);
      if (!door(request, response)) response.writeHead(418).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`;
  });
  after(async () => {
    server.close();
    await changes.close();
    await apollo.stop();
    await fixture.service.stop();
  });

  async function ask(body: unknown, accept = 'application/json', method = 'POST'): Promise<Seen> {
    const headers = {
      accept,
      authorization: 'Bearer x',
      ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
    };
    const response = await fetch(method === 'GET' ? `${url}?${searchOf(body as object)}` : url, {
      method,
      headers,
      ...(method === 'GET' ? {} : { body: JSON.stringify(body) }),
    });
    const shown = Object.fromEntries(HEADERS.map((name) => [name, response.headers.get(name)]));
    return { status: response.status, headers: shown, text: await response.text() };
  }

  function searchOf(body: object): URLSearchParams {
    const members = Object.entries(body).filter(([, value]) => value !== null && value !== undefined);
    const search = new URLSearchParams();
    for (const [name, value] of members)
      search.set(name, typeof value === 'string' ? value : JSON.stringify(value));
    return search;
  }

  /** Parsed, validated, executed and printed by Apollo Server and graphql-js. */
  async function plain(body: unknown, type = JSON_TYPE): Promise<Seen> {
    const answer = await apollo.executeHTTPGraphQLRequest({
      httpGraphQLRequest: {
        method: 'POST',
        headers: new HeaderMap([
          ['content-type', 'application/json'],
          ['accept', type],
        ]),
        search: '',
        body,
      },
      context: () => Promise.resolve(createContext(fixture.service.services, fixture.caller(scopes), 'same')),
    });
    const shown = Object.fromEntries(HEADERS.map((name) => [name, answer.headers.get(name) ?? null]));
    const text = answer.body.kind === 'complete' ? answer.body.string : '';
    return { status: answer.status ?? 200, headers: shown, text: withoutValues(text) };
  }

  function compiles({ query = '', operationName }: Body): boolean {
    try {
      const operation = documents.find({ text: query }).operation(operationName ?? undefined);
      return operation?.compiled() !== undefined;
    } catch (error) {
      if (error instanceof InvalidOperation) return false;
      throw error;
    }
  }

  /** Byte for byte, with status and headers, for every kind of caller and for both media types. */
  async function same(body: Body, method?: string): Promise<void> {
    for (const some of SCOPES)
      for (const type of [JSON_TYPE, GRAPHQL_TYPE]) {
        scopes = some;
        expect(await ask(body, type, method), JSON.stringify(body)).to.deep.equal(await plain(body, type));
      }
    scopes = ALL_SCOPES;
  }

  /**
   * Fields that fail side by side are told in the order of the database's answers, those that come late
   * perhaps not at all.
   */
  async function sameButForOrder(body: Body): Promise<void> {
    const answer = await ask(body);
    // Apollo Server alone does not weigh.
    if (answer.text.includes('The operation costs')) return;
    const given = withSortedErrors(answer);
    for (let tries = 1; tries < 30; tries += 1)
      if (isDeepStrictEqual(given, withSortedErrors(await plain(body)))) return;
    expect(given).to.deep.equal(withSortedErrors(await plain(body)));
  }

  it('yields to other work while Apollo Server prints a long answer', async () => {
    const query = '{ __schema { types { name fields { name type { name } } } } }';
    let text = '';
    const turns = await turnsDuring(async () => ({ text } = await plain({ query })));
    expect(text.length).to.be.greaterThan(20_000);
    expect(turns).to.be.greaterThan(10);
  });

  it('gives the same answers to compiled operations, stored facts included', async () => {
    for (const id of fixture.customers)
      for (const purpose of [undefined, null, 'PERSONALIZATION', 'SUPPORT', 'NONE', 7])
        await same({ query: PROFILE, variables: { id, ...(purpose === undefined ? {} : { purpose }) } });
    expect(compiles({ query: PROFILE })).to.equal(true);
  });

  it('gives the same answers to generated operations', async () => {
    let known = 0;
    const changes = [(text: string) => text, (text: string) => withFragments(fixture.schema, text)];
    await fc.assert(
      fc.asyncProperty(
        generateOperation(fixture.schema, fixture.customers),
        fc.constantFrom(...changes),
        async (generated, change) => {
          const query = change(generated);
          await sameButForOrder({ query });
          known += Number(compiles({ query }));
        },
      ),
      { numRuns: 80 },
    );
    expect(known).to.be.above(10);
  });

  const PAIR =
    'query one { customers(first: 1) { nodes { externalId } } } query two { effectiveConsent(customerId: "none") { customerId } }';
  const CASES: [string, Body][] = [
    [
      'a page of a size that is a variable',
      { query: 'query($n: Int) { customers(first: $n) { nodes { id } } }', variables: { n: 2 } },
    ],
    [
      'text that needs escaping',
      { query: '{ customers(externalId: "a\\"b`${1}\'\\\\ \\u2028") { nodes { id } } }' },
    ],
    ['the first of two operations', { query: PAIR, operationName: 'one' }],
    ['the second of two operations', { query: PAIR, operationName: 'two' }],
    ['two operations, neither named', { query: PAIR }],
    ['no variable', { query: PROFILE }],
    ['a variable of another type', { query: PROFILE, variables: { id: [1, 2] } }],
    ['an unknown operation', { query: PROFILE, operationName: 'other' }],
    ['what does not parse', { query: '{' }],
    ['what does not validate', { query: '{ nothing again: nothing }' }],
    [
      'what is too deep',
      {
        query: `{
          customer(id: "x") { ${'consentReceipts { nodes { customer { '.repeat(5)} id ${'} } } '.repeat(5)} }
          }`,
      },
    ],
    ['a page too large', { query: '{ customers(first: 101) { nodes { id } } }' }],
    [
      'two errors that spread',
      { query: '{ customers(first: 0) { nodes { id } } ontologies(first: 0) { nodes { id } } }' },
    ],
    [
      'introspection',
      { query: '{ __schema { queryType { name } } __type(name: "App") { fields { name } } }' },
    ],
  ];
  for (const [what, body] of CASES)
    it(`gives the same answers to ${what} every time, by POST and GET`, async () => {
      for (let time = 0; time < 2; time += 1) for (const method of ['POST', 'GET']) await same(body, method);
    });

  it('answers in the media type that the client accepts', async () => {
    const body = { query: '{ customers(first: 3) { nodes { id } } }' };
    for (const [accept, type] of CLIENTS) {
      const answer = await ask(body, accept);
      expect(answer, accept).to.deep.equal(await plain(body, accept));
      expect(answer.headers['content-type'], accept).to.equal(type);
    }
    expect((await ask(body, 'text/html')).status).to.equal(406);
  });

  it('takes an empty name of a POST as a name, and an empty parameter of a GET as none', async () => {
    for (let time = 0; time < 2; time += 1) await same({ query: PROFILE, operationName: '' }, 'POST');
    const query = 'query Some { customers(first: 3) { nodes { id } } }';
    const empty = { operationName: '', variables: '', extensions: '', documentId: '' };
    expect(await ask({ query, ...empty }, undefined, 'GET')).to.deep.equal(await plain({ query }));
    const search = new URLSearchParams([
      ['query', ''],
      ['query', query],
    ]);
    expect((await fetch(`${url}?${search}`, { headers: { authorization: 'Bearer x' } })).status).to.equal(
      400,
    );
  });

  it('runs mutations once, by graphql-js', async () => {
    const query = `mutation($key: String!) {
      a: createCustomer(idempotencyKey: $key, input: { externalId: "door" }) {
        status customer { externalId } } }`;
    for (const status of ['CREATED', 'UNCHANGED', 'UNCHANGED']) {
      const variables = { key: `graphql-door-${status}-${Math.random()}` };
      expect((await ask({ query, variables })).text).to.include(`"status":"${status}"`);
    }
    expect(compiles({ query })).to.equal(false);
    expect((await ask({ query, variables: { key: 'x'.repeat(16) } }, '*/*', 'GET')).status).to.equal(405);
  });

  it('answers by documentId or persisted hash once the text was sent', async () => {
    const query = '{ customers(first: 2) { nodes { id externalId } } }';
    const sha256Hash = hash('sha256', query);
    const extensions = { persistedQuery: { version: 1, sha256Hash } };
    for (const method of ['POST', 'GET'])
      expect((await ask({ documentId: `sha256:${sha256Hash}` }, '*/*', method)).text).to.include(
        'PERSISTED_QUERY_NOT_FOUND',
      );
    const first = await ask({ query, extensions });
    expect(first).to.deep.equal(await plain({ query }));
    for (const method of ['POST', 'GET'])
      for (let uses = 0; uses < 4; uses += 1) {
        expect(await ask({ documentId: `sha256:${sha256Hash}` }, undefined, method)).to.deep.equal(first);
        expect(await ask({ extensions }, undefined, method)).to.deep.equal(first);
      }
  });

  const MALFORMED: [string, unknown][] = [
    ['nothing', {}],
    ['a list', [{ query: '{ __typename }' }]],
    ['a text', '{ __typename }'],
    ['a query that is no text', { query: { kind: 'Document' } }],
    ['an empty query', { query: '' }],
    ['a name that is no text', { query: '{ __typename }', operationName: 1 }],
    ['variables that are a list', { query: '{ __typename }', variables: [] }],
    ['variables that are a text', { query: '{ __typename }', variables: '{}' }],
    ['extensions that are a text', { query: '{ __typename }', extensions: 'x' }],
    ['an id that is no text', { documentId: 7 }],
    [
      'a persisted query of another version',
      { extensions: { persistedQuery: { version: 2, sha256Hash: 'a' } } },
    ],
    [
      'a hash that is not that of the query',
      { query: '{ __typename }', extensions: { persistedQuery: { version: 1, sha256Hash: 'a'.repeat(64) } } },
    ],
  ];
  for (const [what, body] of MALFORMED)
    it(`refuses ${what} with 400, whatever the client accepts`, async () => {
      for (const [accept] of CLIENTS) {
        const { status, text } = await ask(body, accept);
        const [error] = (JSON.parse(text) as { errors: { extensions: object }[] }).errors;
        const page = `${fixture.service.services.config.baseUrl}/docs/errors#invalid_request`;
        expect([status, error?.extensions], accept).to.deep.equal([
          400,
          {
            code: 'INVALID_REQUEST',
            status: 400,
            requestId: 'same',
            documentationUrl: page,
            documentation_url: page,
          },
        ]);
      }
    });

  it('refuses a repeated parameter and one that is not JSON', async () => {
    const headers = { authorization: 'Bearer x' };
    for (const search of ['query={__typename}&query={__typename}', 'query={__typename}&variables={'])
      expect((await fetch(`${url}?${search}`, { headers })).status, search).to.equal(400);
  });

  it('refuses an operation of a kind that the schema does not have', async () => {
    const [json, graphql] = [
      await ask({ query: 'subscription{x}' }),
      await ask({ query: 'subscription{x}' }, GRAPHQL_TYPE),
    ];
    expect([json.status, graphql.status]).to.deep.equal([200, 400]);
    expect(json.text).to.include('"code":"INVALID_REQUEST"');
  });
});
