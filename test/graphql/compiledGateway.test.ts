import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import type { ApolloServer } from '@apollo/server';
import { expressMiddleware } from '@as-integrations/express5';
import { expect } from 'chai';
import express from 'express';
import fc from 'fast-check';
import { createContext } from '../../src/access/createContext.js';
import type { RequestContext } from '../../src/access/RequestContext.js';
import { ALL_SCOPES } from '../../src/domain/scopes.js';
import type { Scope } from '../../src/domain/scopes.js';
import { KnownOperations, operationKey } from '../../src/execution/KnownOperations.js';
import { createApolloServer } from '../../src/graphql/createApolloServer.js';
import { fullSelection, generateOperation } from '../execution/generateOperation.js';
import { withFragments } from '../execution/withFragments.js';
import { World } from '../execution/World.js';

const SCOPES: Scope[][] = [[...ALL_SCOPES], ['customers:read', 'profile:read'], ['events:write']];
const CLIENTS: Record<string, string>[] = [
  { accept: 'application/json' },
  { accept: 'application/graphql-response+json,application/json;q=0.9' },
];

interface Body {
  query?: string;
  operationName?: string | null;
  variables?: Record<string, unknown>;
  extensions?: Record<string, unknown>;
}

interface Seen {
  status: number;
  headers: [string, string][];
  text: string;
}

function withSortedErrors({ text, ...rest }: Seen): unknown {
  const { errors = [], data } = JSON.parse(text) as { errors?: unknown[]; data?: unknown };
  return { ...rest, data: JSON.stringify(data), errors: errors.map((error) => JSON.stringify(error)).toSorted() };
}

/** Apollo Server alone, over HTTP. */
class Door {
  readonly operations: KnownOperations;
  caller = SCOPES[0] ?? [];
  private readonly apollo: ApolloServer<RequestContext>;
  private server: Server | undefined;
  private url = '';

  constructor(
    private readonly world: World,
    compileAfter: number,
  ) {
    this.operations = new KnownOperations(world.compiler, { compileAfter });
    this.apollo = createApolloServer(world.service.services, this.operations);
  }

  async open(): Promise<this> {
    await this.apollo.start();
    const { services } = this.world.service;
    const context = (): Promise<RequestContext> =>
      Promise.resolve(createContext(services, this.world.caller(this.caller), 'same'));
    const app = express().use(express.json(), expressMiddleware(this.apollo, { context }));
    const server = createServer(app);
    this.server = server;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return this;
  }

  async ask(body: Body, headers: Record<string, string> = {}, method = 'POST'): Promise<Seen> {
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(body))
      search.set(name, typeof value === 'string' ? value : JSON.stringify(value));
    const response = await fetch(`${this.url}/${method === 'GET' ? `?${search}` : ''}`, {
      method,
      headers: { ...headers, ...(method === 'GET' ? {} : { 'content-type': 'application/json' }) },
      ...(method === 'GET' ? {} : { body: JSON.stringify(body) }),
    });
    const shown = [...response.headers].filter(([name]) => !['date', 'etag'].includes(name));
    return { status: response.status, headers: shown, text: await response.text() };
  }

  compiles({ query = '', operationName }: Body): boolean {
    return this.operations.findPlain(operationKey({ text: query }, operationName ?? undefined)) !== undefined;
  }

  async close(): Promise<void> {
    this.server?.close();
    await this.apollo.stop();
  }
}

describe('compiled operations behind Apollo Server', () => {
  let world: World;
  let compiled: Door;
  let plain: Door;

  before(async () => {
    world = await World.open();
    compiled = await new Door(world, 1).open();
    plain = await new Door(world, Infinity).open();
  });
  after(async () => {
    await Promise.all([compiled.close(), plain.close()]);
    await world.service.stop();
  });

  /** Byte for byte, with status and headers, for every kind of caller and client. */
  async function same(body: Body, method?: string): Promise<void> {
    for (const caller of SCOPES)
      for (const client of CLIENTS) {
        compiled.caller = plain.caller = caller;
        expect(await compiled.ask(body, client, method)).to.deep.equal(await plain.ask(body, client, method));
      }
  }

  /** Fields that fail side by side are told in the order of the database's answers, those that come late perhaps not at all. */
  async function sameButForOrder(body: Body): Promise<void> {
    compiled.caller = plain.caller = [...ALL_SCOPES];
    const given = withSortedErrors(await compiled.ask(body));
    for (let tries = 1; tries < 30; tries += 1)
      if (isDeepStrictEqual(given, withSortedErrors(await plain.ask(body)))) return;
    expect(given).to.deep.equal(withSortedErrors(await plain.ask(body)));
  }

  const id = (): string => world.customers[0] ?? '';
  const PROFILE = `query profile($id: ID!, $purpose: ConsentPurpose) {
    resolvedProfile(customerId: $id, consentPurpose: $purpose) { customerId facts { ${fullSelection('graphql')} } resolvedAt } }`;

  it('answer as graphql-js does there, stored facts included', async () => {
    for (const customer of world.customers)
      for (const purpose of [undefined, null, 'PERSONALIZATION', 'SUPPORT', 'NONE', 7])
        await same({ query: PROFILE, variables: { id: customer, ...(purpose === undefined ? {} : { purpose }) } });
    expect(compiled.compiles({ query: PROFILE })).to.equal(true);
    expect(plain.compiles({ query: PROFILE })).to.equal(false);
  });

  it('answer generated operations as graphql-js does there', async () => {
    let known = 0;
    const changes = [(text: string) => text, (text: string) => withFragments(world.schema, text)];
    await fc.assert(
      fc.asyncProperty(
        generateOperation(world.schema, world.customers),
        fc.constantFrom(...changes),
        async (generated, change) => {
          const query = change(generated);
          await sameButForOrder({ query });
          known += Number(compiled.compiles({ query }));
        },
      ),
      { numRuns: 80 },
    );
    expect(known).to.be.above(10);
  });

  const REFUSED: [string, Body][] = [
    ['no variable', { query: PROFILE }],
    ['a variable of another type', { query: PROFILE, variables: { id: [1, 2] } }],
    ['an unknown operation', { query: PROFILE, operationName: 'other' }],
    ['an empty name', { query: PROFILE, operationName: '' }],
    ['two operations, neither named', { query: 'query a { app(id: "a") { id } } query b { app(id: "b") { id } }' }],
    [
      'two operations, one named',
      { query: 'query a { app(id: "a") { id } } query b { __typename }', operationName: 'b' },
    ],
    ['what does not parse', { query: '{' }],
    ['what does not validate', { query: '{ nothing }' }],
    [
      'what costs too much',
      { query: '{ customers(first: 100) { nodes { claims(first: 100) { nodes { id value source } } } } }' },
    ],
    ['a page too large', { query: '{ customers(first: 101) { nodes { id } } }' }],
    [
      'two errors that spread',
      { query: '{ customers(first: 0) { nodes { id } } ontologies(first: 0) { nodes { id } } }' },
    ],
    ['introspection', { query: '{ __schema { queryType { name } } __type(name: "App") { fields { name } } }' }],
    ['nothing', {}],
    ['an unknown hash', { extensions: { persistedQuery: { version: 1, sha256Hash: 'a'.repeat(64) } } }],
  ];
  for (const [what, body] of REFUSED)
    it(`answer ${what} as graphql-js does there, every time`, async () => {
      for (let time = 0; time < 2; time += 1) for (const method of ['POST', 'GET']) await same(body, method);
    });

  it('are found by their hash, too', async () => {
    const sha256Hash = createHash('sha256').update(PROFILE).digest('hex');
    const extensions = { persistedQuery: { version: 1, sha256Hash } };
    const variables = { id: id() };
    await same({ query: PROFILE, variables, extensions });
    for (const method of ['POST', 'GET']) await same({ variables, extensions }, method);
    expect(compiled.operations.findPlain(operationKey({ hash: sha256Hash }, undefined))).to.not.equal(undefined);
  });

  it('are no mutations: those run once, by graphql-js', async () => {
    const query = `mutation($key: String!) {
      a: createCustomer(idempotencyKey: $key, input: { externalId: "gateway" }) { status customer { externalId } } }`;
    compiled.caller = plain.caller = [...ALL_SCOPES];
    for (const status of ['CREATED', 'UNCHANGED', 'UNCHANGED']) {
      const variables = { key: `gateway-${status}-${Math.random()}` };
      const answer = await compiled.ask({ query, variables });
      expect(answer.text).to.include(`"status":"${status}"`);
    }
    expect(compiled.compiles({ query })).to.equal(false);
  });
});
