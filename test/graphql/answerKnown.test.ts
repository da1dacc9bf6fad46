import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import express from 'express';
import { parse } from 'graphql';
import type { Scope } from '../../src/domain/scopes.js';
import { KnownOperations, operationKey } from '../../src/execution/KnownOperations.js';
import { answerKnown } from '../../src/graphql/answerKnown.js';
import { fullSelection } from '../execution/generateOperation.js';
import { World } from '../execution/World.js';

const NOT_HANDLED = 418;
const HEADERS = ['content-type', 'cache-control', 'www-authenticate', 'ratelimit-policy', 'content-length'];
const PROFILE = `query profile($id: ID!, $purpose: ConsentPurpose) {
  resolvedProfile(customerId: $id, consentPurpose: $purpose) { customerId facts { ${fullSelection('graphql')} } resolvedAt } }`;
const CLIENTS = [
  '*/*',
  'application/json',
  'application/graphql-response+json',
  'application/graphql-response+json,application/json;q=0.9',
  'application/graphql-response+json, application/json;q=0.9',
  'application/graphql-response+json, application/json, multipart/mixed',
  'application/graphql-response+json, application/graphql+json, application/json, text/event-stream, multipart/mixed',
];
const PAGED =
  'query paged($first: Int) { customers(first: $first) { nodes { id claims(first: 100) { nodes { id } } } } }';
const CHOICE = `query one { customers(first: 1) { nodes { externalId } } } query two { effectiveConsent(customerId: "none") { customerId } }`;

describe('known operations', () => {
  let world: World;
  let fast: { url: string; server: Server; operations: KnownOperations };

  before(async () => {
    world = await World.open();
    fast = await listen(world, undefined);
  });
  after(async () => {
    fast.server.close();
    await world.service.stop();
  });

  it('are answered as Apollo Server answers them', async () => {
    for (const id of world.customers) {
      for (const purpose of [undefined, null, 'PERSONALIZATION', 'SUPPORT']) {
        await same({ query: PROFILE, variables: { id, ...(purpose === undefined ? {} : { purpose }) } });
      }
    }
    await same({ query: PAGED, variables: { first: 2 } });
    await same({ query: PAGED });
    await same({ query: CHOICE, operationName: 'one' });
    await same({ query: CHOICE, operationName: 'two' });
    await same({ query: '{ customers(externalId: "a\\"b`${1}\'\\\\ \\u2028") { nodes { id } } }' });
    await same({ query: '{ customers(first: 0) { nodes { id } } }' });
  });

  it('are answered in the media type that Apollo Server chooses, to clients as they are', async () => {
    const query = '{ customers(first: 3) { nodes { id } } }';
    for (const accept of CLIENTS) {
      const apollo = await ask(world.service.url, { query: `${query} # ${accept}` }, undefined, { accept });
      expect(apollo.status).to.equal(200);
      expect(await ask(fast.url, { query }, fast.operations, { accept })).to.deep.equal(apollo);
    }
  });

  it('refuse a token that lacks scopes as Apollo Server does', async () => {
    const scopes: Scope[] = ['customers:read'];
    const narrow = await listen(world, scopes);
    const token = (await world.service.narrowed(world.app, ...scopes)).credentials;
    const query = `{ customers(first: 1) { nodes { id effectiveConsent { customerId } resolvedProfile { resolvedAt } } } }`;
    for (const body of [{ query }, { query: PROFILE, variables: { id: world.customers[0] } }])
      expect(await ask(narrow.url, body, narrow.operations)).to.deep.equal(
        await ask(world.service.url, body, undefined, token),
      );
    narrow.server.close();
  });

  it('are left to Apollo Server in every case of doubt', async () => {
    const handled = async (body: unknown, headers: Record<string, string> = {}): Promise<boolean> =>
      (await ask(fast.url, body, undefined, headers)).status !== NOT_HANDLED;
    const variables = { id: world.customers[0] };
    await ask(fast.url, { query: PROFILE, variables }, fast.operations);
    expect(await handled({ query: PROFILE, variables })).to.equal(true);
    expect(await handled({ query: `${PROFILE} `, variables })).to.equal(false);
    expect(await handled({ query: PROFILE, variables: { id: null } })).to.equal(false);
    expect(await handled({ query: PROFILE, variables: { ...variables, purpose: 'NONE' } })).to.equal(false);
    expect(await handled({ query: PROFILE, variables: [] })).to.equal(false);
    expect(await handled({ query: PROFILE, variables, operationName: 'other' })).to.equal(false);
    expect(await handled({ query: PROFILE, variables, extensions: { persistedQuery: {} } })).to.equal(false);
    expect(await handled([{ query: PROFILE, variables }])).to.equal(false);
    expect(await handled({ query: PROFILE, variables }, { accept: 'text/html' })).to.equal(false);
    await ask(fast.url, { query: PAGED, variables: { first: 1 } }, fast.operations);
    expect(await handled({ query: PAGED, variables: { first: 1 } })).to.equal(true);
    expect(await handled({ query: PAGED, variables: { first: 100_000 } })).to.equal(false);
  });

  it('never are mutations or introspection, and are bounded', () => {
    const operations = new KnownOperations(world.compiler, { capacity: 3, compileAfter: 1 });
    const known = (text: string): boolean => {
      operations.remember(text, parse(text), undefined);
      return operations.find(text) !== undefined;
    };
    expect(known('mutation { deleteCustomer(id: "a", idempotencyKey: "b") { id } }')).to.equal(false);
    expect(known('{ __schema { queryType { name } } }')).to.equal(false);
    expect(known('{ ...f } fragment f on Query { __type(name: "Query") { name } }')).to.equal(false);
    for (let first = 1; first <= 5; first += 1) known(`{ customers(first: ${first}) { nodes { id } } }`);
    expect(operations.size).to.equal(3);
  });

  it('are named by documentId or persisted hash once their text was sent', async () => {
    const query = '{ customers(first: 2) { nodes { id externalId } } }';
    const sha256Hash = createHash('sha256').update(query).digest('hex');
    const extensions = { persistedQuery: { version: 1, sha256Hash } };
    const send = (body: unknown): Promise<Seen> => ask(world.service.url, body);
    expect((await send({ documentId: `sha256:${sha256Hash}` })).text).to.include('PERSISTED_QUERY_NOT_FOUND');
    const first = await send({ query, extensions });
    for (let uses = 0; uses < 4; uses += 1) {
      expect(await send({ documentId: `sha256:${sha256Hash}` })).to.deep.equal(first);
      expect(await send({ extensions })).to.deep.equal(first);
    }
  });

  async function same(body: { query: string; operationName?: string; variables?: unknown }): Promise<void> {
    const apollo = await ask(world.service.url, body);
    expect(await ask(fast.url, body, fast.operations)).to.deep.equal(apollo);
    // The service's own third answer comes from compiled code, too.
    await ask(world.service.url, body);
    expect(await ask(world.service.url, body)).to.deep.equal(apollo);
  }

  async function ask(
    url: string,
    body: unknown,
    operations?: KnownOperations,
    extra: Readonly<Record<string, string>> = {},
  ): Promise<Seen> {
    const { query = '', operationName } = body as { query?: string; operationName?: string };
    operations?.remember(operationKey({ text: query }, operationName), parse(query), operationName);
    const headers = { ...world.app.credentials, 'content-type': 'application/json', 'x-request-id': 'same', ...extra };
    const response = await fetch(`${url}/graphql`, { method: 'POST', headers, body: JSON.stringify(body) });
    const shown = Object.fromEntries(HEADERS.map((name) => [name, response.headers.get(name)]));
    return { status: response.status, headers: shown, text: await response.text() };
  }
});

interface Seen {
  status: number;
  headers: Record<string, string | null>;
  text: string;
}

/** Compiled answers alone: what they do not take ends as 418. */
async function listen(
  world: World,
  scopes: readonly Scope[] | undefined,
): Promise<{ url: string; server: Server; operations: KnownOperations }> {
  const operations = new KnownOperations(world.compiler, { compileAfter: 1 });
  const app = express();
  app.use((_request, response, next) => {
    response.setHeader('X-Request-Id', 'same');
    next();
  });
  const answer = answerKnown(world.service.services, operations);
  app.use(express.json(), async (request, response) => {
    if (!(await answer(request, response, world.caller(scopes), request.body))) response.sendStatus(NOT_HANDLED);
  });
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server, operations };
}
