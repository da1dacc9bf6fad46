import { createConnection } from 'node:net';
import { expect } from 'chai';
import { createClient as createSseClient } from 'graphql-sse';
import { CloseCode, createClient as createSocketClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { eventBody, makeEntry, putBooks } from '../support/ingestRecords.js';
import { claimBody, expectStatus, grant, makeCustomer, revoke, sendClaims } from '../support/records.js';
import { LiveClient } from '../support/LiveClient.js';
import type { Json } from '../support/TestPartner.js';
import { TestPartner } from '../support/TestPartner.js';
import { TestService } from '../support/TestService.js';

const PROFILE = `subscription ($id: ID!) { profileChanged(customerId: $id, consentPurpose: PERSONALIZATION) {
  facts { attribute resolvedValue } } }`;
const CONSENT = 'subscription ($id: ID!) { consentChanged(customerId: $id) { purposes { purpose status } } }';
const SESSION = 'subscription ($id: ID!) { connectionSessionChanged(id: $id) { id status } }';
const WORKFLOW = 'subscription ($id: ID!) { workflowChanged(id: $id) { id status } }';
const EVENT = 'subscription ($id: ID!) { eventChanged(id: $id) { eventId status } }';
const DELIVERY =
  'subscription ($id: ID!) { webhookDeliveryChanged(endpointId: $id) { id status attempts { attempt } } }';

describe('Subscriptions', () => {
  let service: TestService;
  let second: string;
  let app: TestPartner;
  const clients: LiveClient[] = [];

  before(async () => {
    service = await TestService.start();
    second = await service.addNode();
    app = await service.makeApp();
  });
  afterEach(() => {
    for (const client of clients.splice(0)) client.close();
  });
  after(() => service.stop());

  async function subscribe(...args: Parameters<typeof LiveClient.open>): Promise<LiveClient> {
    const client = await LiveClient.open(...args);
    clients.push(client);
    return client;
  }

  async function consenting(): Promise<{ customer: string; receipt: string }> {
    const customer = await makeCustomer(app);
    return { customer, receipt: await grant(app, customer, 'personalization') };
  }

  it('send a profile at once and after each change until consent is revoked', async () => {
    const { customer, receipt } = await consenting();
    const client = await subscribe(app.at(second), PROFILE, { id: customer });
    expect(client.status).to.equal(200);
    await client.until(({ results }) => results.length > 0);
    expect(client.results[0].data.profileChanged.facts).to.deep.equal([]);
    await sendClaims(app, claimBody(customer));
    await client.until(({ results }) => results.at(-1).data.profileChanged.facts.length > 0);
    const [fact] = client.results.at(-1).data.profileChanged.facts;
    expect(fact).to.deep.equal({ attribute: 'favourite_genre', resolvedValue: 'crime' });
    await revoke(app, receipt);
    await client.over();
    expect(client.isComplete).to.equal(true);
    expect(client.results.at(-1)).to.nested.include({
      'data.profileChanged': null,
      'errors[0].extensions.code': 'CONSENT_DENIED',
      'errors[0].extensions.gate': 'RECEIPT',
    });
  });

  it('are refused or ended when consent or the purposes of the app do not allow them', async () => {
    const { customer } = await consenting();
    const closed = await subscribe(app, PROFILE.replace('PERSONALIZATION', 'ANALYTICS'), { id: customer });
    await closed.over();
    expect(closed.results).to.have.length(1);
    expect(closed.results[0].errors[0].extensions.code).to.equal('CONSENT_DENIED');
    const open = await subscribe(app, PROFILE, { id: customer });
    await open.until(({ results }) => results.length > 0);
    await service.admin.rest('PATCH', `/v1/apps/${app.appId}`, { allowed_consent_purposes: ['analytics'] });
    await open.over();
    await service.admin.rest('PATCH', `/v1/apps/${app.appId}`, { allowed_consent_purposes: null });
    expect(open.results.at(-1).errors[0].extensions).to.include({ code: 'CONSENT_DENIED', gate: 'PURPOSE' });
  });

  it('send consent, sessions, workflows and events as they change', async () => {
    const { customer, receipt } = await consenting();
    const consent = await subscribe(app, CONSENT, { id: customer });
    await consent.until(({ results }) => statusOf(results) === 'GRANTED');
    const workflowId = await revoke(app, receipt);
    await consent.until(({ results }) => statusOf(results) === 'REVOKED');
    const workflow = await subscribe(app, WORKFLOW, { id: workflowId });
    await workflow.until(({ results }) => results.at(-1)?.data.workflowChanged.status === 'COMPLETED');
    const asked = { customer_id: customer, requested_purposes: ['analytics'] };
    const made = expectStatus(await app.rest('POST', '/v1/connection-sessions', asked), 201);
    const id = made.id ?? made.session.id;
    const session = await subscribe(app, SESSION, { id });
    await session.until(({ results }) => results.at(-1)?.data.connectionSessionChanged.status === 'CREATED');
    expectStatus(await app.rest('DELETE', `/v1/connection-sessions/${id}`), 200);
    await session.until(({ results }) => results.at(-1)?.data.connectionSessionChanged.status === 'REVOKED');
  });

  it('send an event when it is processed', async () => {
    const { customer } = await consenting();
    await putBooks(service);
    const sent = await app.rest('POST', '/v1/events', eventBody(customer, await makeEntry(app)));
    expect(sent.status, sent.text).to.equal(202);
    const client = await subscribe(app, EVENT, { id: sent.body.event_id });
    await client.until(({ results }) => results.at(-1)?.data.eventChanged.status === 'PROCESSED');
  });

  it('send deliveries one by one, including missed ones, or ask the client to read again', async () => {
    const url = 'http://127.0.0.1:9/hook';
    const made = expectStatus(
      await app.rest('POST', '/v1/webhook-endpoints', { url, enabled_events: ['*'] }),
      201,
    );
    const id = made.endpoint?.id ?? made.id;
    const client = await subscribe(app, DELIVERY, { id });
    const test = expectStatus(await app.rest('POST', `/v1/webhook-endpoints/${id}/test`), 202);
    const tells = (delivery: string) => (seen: LiveClient) =>
      seen.results.some(({ data }) => data.webhookDeliveryChanged?.id === delivery);
    await client.until(tells(test.delivery_id));
    const lastEventId = client.events.at(-1)?.id ?? '';
    client.close();
    const missed = expectStatus(await app.rest('POST', `/v1/webhook-endpoints/${id}/test`), 202);
    const again = await subscribe(app.at(second), DELIVERY, { id }, { 'last-event-id': lastEventId });
    await again.until(tells(missed.delivery_id));
    const lost = await subscribe(app, DELIVERY, { id }, { 'last-event-id': 'from-another-life' });
    await lost.until(({ results }) => results.some(({ extensions }) => extensions.readAgain === true));
    const toCome = { 'last-event-id': `at-${Date.now() + 3_600_000}` };
    const setBack = await subscribe(app, DELIVERY, { id }, toCome);
    await setBack.until(({ results }) => results.some(({ extensions }) => extensions.readAgain === true));
    const unknown = await subscribe(app, DELIVERY, { id: 'whe_unknown' });
    await unknown.over();
    expect(unknown.results.at(-1).errors[0].extensions.code).to.equal('NOT_FOUND');
  });

  it('send a returning client what it missed and nothing twice', async () => {
    const { customer } = await consenting();
    const client = await subscribe(app, PROFILE, { id: customer });
    await client.until(({ results }) => results.length > 0);
    const lastEventId = client.events[0]?.id ?? '';
    expect(client.results[0].extensions.eventId).to.equal(lastEventId);
    client.close();
    const same = await subscribe(app, PROFILE, { id: customer }, { 'last-event-id': lastEventId });
    await sendClaims(app, claimBody(customer));
    await same.until(({ results }) => results.length > 0);
    expect(same.results[0].data.profileChanged.facts, 'the state it knew is not told again').to.have.length(
      1,
    );
    const behind = await subscribe(
      app.at(second),
      PROFILE,
      { id: customer },
      { 'last-event-id': lastEventId },
    );
    await behind.until(({ results }) => results.length > 0);
    expect(behind.results[0].data.profileChanged.facts).to.have.length(1);
  });

  it('end with UNAUTHENTICATED when the token is revoked or the app disabled', async () => {
    const { customer } = await consenting();
    const token = await service.token(app);
    const holder = new TestPartner(service.url, { authorization: `Bearer ${token}` }, app);
    const client = await subscribe(holder, PROFILE, { id: customer });
    await client.until(({ results }) => results.length > 0);
    await fetch(`${service.url}/oauth/revoke`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${app.appId}:${app.clientSecret}`).toString('base64')}`,
      },
      body: new URLSearchParams({ token }),
    });
    await client.over();
    expect(client.results.at(-1).errors[0].extensions.code).to.equal('UNAUTHENTICATED');
    expect(client.isComplete).to.equal(true);
    const other = await service.makeApp();
    const open = await subscribe(other, CONSENT, { id: await makeCustomer(other) });
    await open.until(({ results }) => results.length > 0);
    await service.admin.rest('PATCH', `/v1/apps/${other.appId}`, { status: 'disabled' });
    await open.over();
    expect(open.results.at(-1).errors[0].extensions.code).to.equal('UNAUTHENTICATED');
  });

  it('end with INSUFFICIENT_SCOPE when the app loses the scope of their field, however quiet', async () => {
    const other = await service.makeApp();
    const id = await makeCustomer(other);
    const open = [
      await subscribe(other, CONSENT, { id }),
      await subscribe(other.at(second), CONSENT, { id }),
    ];
    for (const client of open) await client.until(({ results }) => results.length > 0);
    await service.admin.rest('PATCH', `/v1/apps/${other.appId}`, { allowed_scopes: ['apps:read'] });
    for (const client of open) {
      await client.over();
      expect(client.results.at(-1).errors[0].extensions.code).to.equal('INSUFFICIENT_SCOPE');
      expect(client.isComplete).to.equal(true);
    }
  });

  it('require a token with the scope of their field and hide the records of other apps', async () => {
    const { customer } = await consenting();
    const narrow = await service.narrowed(app, 'customers:read');
    for (const query of [PROFILE, CONSENT, SESSION, WORKFLOW, EVENT, DELIVERY]) {
      const client = await subscribe(narrow, query, { id: customer });
      await client.over();
      expect(client.results, query).to.have.length(1);
      expect(client.results[0].errors[0].extensions.code, query).to.equal('INSUFFICIENT_SCOPE');
    }
    const stranger = await service.makeApp();
    const foreign = await subscribe(stranger, PROFILE, { id: customer });
    await foreign.over();
    expect(foreign.results[0].errors[0].extensions.code).to.equal('NOT_FOUND');
    const nobody = await subscribe(service.nobody, PROFILE, { id: customer });
    expect(nobody.status).to.equal(401);
  });

  it('refuse an id that cannot be stored, after the scope', async () => {
    const narrow = await service.narrowed(app, 'customers:read');
    for (const query of [PROFILE, CONSENT, SESSION, WORKFLOW, EVENT, DELIVERY])
      for (const [subscriber, id, code] of [
        [app, 'cus_\0', 'INVALID_REQUEST'],
        [app, '\uD800', 'INVALID_REQUEST'],
        [narrow, '\0', 'INSUFFICIENT_SCOPE'],
      ] as const) {
        const client = await subscribe(subscriber, query, { id });
        expect(client.status, query).to.equal(200);
        await client.over();
        expect(client.results[0].errors[0].extensions.code, query).to.equal(code);
      }
  });

  it('are refused before the stream begins when they cannot run', async () => {
    const refusals: [string, string, Record<string, unknown>, number][] = [
      [
        'of two fields',
        'subscription { a: workflowChanged(id: 1) { id } b: workflowChanged(id: 1) { id } }',
        {},
        400,
      ],
      ['of no such field', 'subscription { nothing }', {}, 400],
      ['without its variable', PROFILE, {}, 400],
      ['that does not parse', 'subscription {', {}, 400],
    ];
    for (const [title, query, variables, status] of refusals) {
      const client = await subscribe(app, query, variables);
      expect(client.status, title).to.equal(status);
      expect(client.refusal.errors, title).to.not.equal(undefined);
    }
    for (const accept of ['application/json', 'application/graphql-response+json', '*/*']) {
      const answer = await app.graphql(PROFILE, { id: 'cus_x' }, { accept });
      expect(answer.status, accept).to.equal(406);
      expect(answer.errors[0]?.message, accept).to.include('text/event-stream');
    }
  });

  it('are streamed to every client that takes a stream, also beside JSON', async () => {
    const ask = (query: string, accept: string): Promise<Response> =>
      fetch(`${app.baseUrl}/graphql`, {
        method: 'POST',
        headers: { ...app.credentials, 'content-type': 'application/json', accept },
        body: JSON.stringify({ query, variables: { id: 'wf_x' } }),
      });
    const typeOf = ({ headers }: Response): string | undefined => headers.get('content-type')?.split(';')[0];
    for (const accept of ['text/event-stream; charset=utf-8', 'Text/Event-Stream;charset=UTF-8']) {
      expect(typeOf(await ask(WORKFLOW, accept)), accept).to.equal('text/event-stream');
      expect(typeOf(await ask('{ viewer { kind } }', accept)), accept).to.equal('text/event-stream');
    }
    for (const accept of ['application/json, text/event-stream', 'text/event-stream;q=0.5, */*']) {
      const stream = await ask(WORKFLOW, accept);
      expect(typeOf(stream), accept).to.equal('text/event-stream');
      expect(await stream.text(), accept)
        .to.include('NOT_FOUND')
        .and.to.include('event: complete');
      expect(typeOf(await ask('{ viewer { kind } }', accept)), accept).to.equal('application/json');
    }
    expect((await ask(WORKFLOW, 'text/event-stream;q=0, application/json')).status).to.equal(406);
  });

  for (const name of ['constructor', '__proto__', 'toString'])
    it(`are refused for their cost if their variable is named ${name}`, async () => {
      const wide = (size: string, condition = ''): string =>
        `profileChanged(customerId: "cus_x") { customer { consentReceipts(first: ${size}) ${condition} {
          nodes { customer { consentReceipts(first: ${size}) { nodes { id } } } } } } }`;
      for (const query of [
        `subscription ($${name}: Boolean! = true) { ${wide('100', `@include(if: $${name})`)} }`,
        `subscription ($${name}: Int = 100) { ${wide(`$${name}`)} }`,
      ]) {
        const client = await subscribe(app, query);
        expect(client.status, query).to.equal(400);
        expect(client.refusal.errors[0].message, query).to.match(/costs \d+ fields/);
      }
    });

  it('send the single result of queries and mutations over SSE', async () => {
    const client = await subscribe(app, '{ viewer { __typename } }');
    await client.over();
    expect(client.results).to.have.length(1);
    expect(client.isComplete).to.equal(true);
  });

  it('run a mutation over SSE by POST and not by GET', async () => {
    const query =
      'mutation { createCustomer(input: { externalId: "by-events" }, idempotencyKey: "by-event-stream-0001") { customer { id } } }';
    const accept = { ...app.credentials, accept: 'text/event-stream' };
    const byGet = await fetch(`${service.url}/graphql?query=${encodeURIComponent(query)}`, {
      headers: accept,
    });
    expect(byGet.status).to.equal(405);
    const client = await subscribe(app, query);
    await client.over();
    expect(client.results[0].data.createCustomer.customer.id).to.match(/^cus_/);
  });

  it('end with NOT_FOUND when their subject is deleted', async () => {
    const { customer } = await consenting();
    const { id: session } = expectStatus(
      await app.rest('POST', '/v1/connection-sessions', {
        customer_id: customer,
        requested_purposes: ['support'],
      }),
      201,
    ).session;
    const endpoint = expectStatus(
      await app.rest('POST', '/v1/webhook-endpoints', {
        url: 'https://receiver.partner.example/hooks',
        enabled_events: ['*'],
      }),
      201,
    ).endpoint.id;
    await putBooks(service);
    const book = await makeEntry(app);
    const sent = await app.rest('POST', '/v1/events', eventBody(customer, book));
    const event = expectStatus(sent, 202).event_id as string;
    const watched: [query: string, id: string][] = [
      [SESSION, session],
      [EVENT, event],
      [DELIVERY, endpoint],
    ];
    const clients = await Promise.all(watched.map(([query, id]) => subscribe(app, query, { id })));
    for (const client of clients) await client.until(({ results }) => results.length > 0);
    await clients[1]?.until(({ results }) => results.at(-1).data.eventChanged?.status === 'PROCESSED');
    expectStatus(await app.rest('DELETE', `/v1/customers/${customer}`), 204);
    expectStatus(await app.rest('DELETE', `/v1/webhook-endpoints/${endpoint}`), 204);
    for (const client of clients) {
      await client.over();
      expect(client.results.at(-1).errors[0].extensions.code).to.equal('NOT_FOUND');
    }
  });

  it('leave nothing behind when they cannot be opened', async () => {
    const open = async (): Promise<number> =>
      Number(
        /^graphql_subscriptions (\d+)/m.exec(
          await (await fetch(`${service.operationsUrl}/metrics`)).text(),
        )?.[1],
      );
    const before = await open();
    await service.sql('ALTER TABLE webhook_deliveries RENAME COLUMN updated_at TO hidden');
    try {
      const client = await subscribe(app, DELIVERY, { id: 'whe_any' });
      expect(client.status).to.equal(500);
      expect(await open()).to.equal(before);
    } finally {
      await service.sql('ALTER TABLE webhook_deliveries RENAME COLUMN hidden TO updated_at');
    }
  });

  it('work with the client graphql-sse', async () => {
    const { customer, receipt } = await consenting();
    const client = createSseClient({
      url: `${service.url}/graphql`,
      headers: { ...app.credentials },
      retryAttempts: 0,
    });
    const results: Json[] = [];
    for await (const result of client.iterate({ query: PROFILE, variables: { id: customer } })) {
      results.push(result);
      if (results.length === 1) await revoke(app, receipt);
    }
    expect(results.at(-1).errors[0].extensions.code).to.equal('CONSENT_DENIED');
    client.dispose();
  });

  it('work with the client graphql-ws and require a token', async () => {
    const { customer, receipt } = await consenting();
    const url = `${service.url.replace('http', 'ws')}/graphql`;
    const client = createSocketClient({
      url,
      webSocketImpl: WebSocket,
      connectionParams: { authorization: app.credentials['authorization'] },
      retryAttempts: 0,
    });
    const results: Json[] = [];
    for await (const result of client.iterate({ query: PROFILE, variables: { id: customer } })) {
      results.push(result);
      if (results.length === 1) await revoke(app, receipt);
    }
    expect(results[0].extensions.eventId).to.be.a('string');
    expect(results.at(-1).errors[0].extensions.code).to.equal('CONSENT_DENIED');
    const failures = await Promise.all(
      ['subscription { nothing }', '{ viewer { __typename } }'].map(async (query) => {
        const iterate = client.iterate({ query });
        return iterate.next().then(
          () => 'let in',
          (error: Json) => error[0].extensions.code as string,
        );
      }),
    );
    expect(failures).to.deep.equal(['INVALID_REQUEST', 'INVALID_REQUEST']);
    await client.dispose();
    const code = await new Promise((resolve) => {
      const socket = new WebSocket(url, 'graphql-transport-ws');
      socket.on('open', () => socket.send(JSON.stringify({ type: 'connection_init' })));
      socket.on('close', resolve);
    });
    expect(code).to.equal(CloseCode.Forbidden);
  });

  it('refuse one operation that is too large and continue the others of its socket', async () => {
    const { customer } = await consenting();
    const url = `${service.url.replace('http', 'ws')}/graphql`;
    const client = createSocketClient({
      url,
      webSocketImpl: WebSocket,
      connectionParams: { authorization: app.credentials['authorization'] },
      retryAttempts: 0,
    });
    const stream = client.iterate({ query: CONSENT, variables: { id: customer } });
    expect((await stream.next()).value.data.consentChanged.purposes).to.have.length(1);
    const refusals = [
      `subscription { ${' '.repeat(100 * 1024)} x }`,
      `subscription { ${'a '.repeat(2000)} }`,
    ].map(async (query) => {
      const failed = await client
        .iterate({ query })
        .next()
        .catch((error: unknown) => error as Json);
      return failed[0].extensions.code as string;
    });
    expect(await Promise.all(refusals)).to.deep.equal(['PAYLOAD_TOO_LARGE', 'INVALID_REQUEST']);
    await grant(app, customer, 'support');
    expect((await stream.next()).value.data.consentChanged.purposes).to.have.length(2);
    await client.dispose();
  });

  it('refuse operations over WebSocket that are larger than those over HTTP, and long ids', async () => {
    const { customer } = await consenting();
    const socket = new WebSocket(`${service.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    const answerTo = async (message: Json): Promise<Json> => {
      socket.send(JSON.stringify(message));
      return JSON.parse(String(await new Promise((resolve) => socket.once('message', resolve))));
    };
    await new Promise((resolve) => socket.once('open', resolve));
    await answerTo({ type: 'connection_init', payload: app.credentials });
    for (const [id, junk, told] of [
      ['large', 1024 * 1024, 'PAYLOAD_TOO_LARGE'],
      ['larger', 4_000_000, 'PAYLOAD_TOO_LARGE'],
      ['i'.repeat(1024 * 1024), 0, 'PAYLOAD_TOO_LARGE'],
      ['i'.repeat(129), 0, 'INVALID_REQUEST'],
      ['i'.repeat(128), 1_000_000, 'next'],
    ] as const) {
      const payload = { query: CONSENT, variables: { id: customer, junk: 'x'.repeat(junk) } };
      const answer = await answerTo({ type: 'subscribe', id, payload });
      expect(answer.id === id, 'the id').to.equal(true);
      expect(answer.type === 'error' ? answer.payload[0].extensions.code : answer.type).to.equal(told);
    }
    socket.close();
  });

  it('add one close listener per socket for any number of operations', async () => {
    const { customer } = await consenting();
    const warnings: string[] = [];
    const warn = (warning: Error): void => void warnings.push(warning.name);
    process.on('warning', warn);
    const client = createSocketClient({
      url: `${service.url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { authorization: app.credentials['authorization'] },
      retryAttempts: 0,
      lazy: false,
    });
    for (let round = 0; round < 2; round += 1) {
      const streams = Array.from({ length: 15 }, () =>
        client.iterate({ query: CONSENT, variables: { id: customer } }),
      );
      for (const stream of streams) expect((await stream.next()).done).to.equal(false);
      await Promise.all(streams.map((stream) => stream.return?.()));
    }
    await client.dispose();
    process.off('warning', warn);
    expect(warnings).to.deep.equal([]);
  });

  it('limit the size of messages before authentication', async () => {
    const url = `${service.url.replace('http', 'ws')}/graphql`;
    const socket = new WebSocket(url, 'graphql-transport-ws');
    const closed = new Promise((resolve) => socket.on('close', resolve).on('error', () => undefined));
    await new Promise((resolve) => socket.on('open', resolve));
    socket.send(JSON.stringify({ type: 'connection_init', payload: { filler: 'x'.repeat(200 * 1024) } }));
    expect(await closed).to.equal(1006);
  });

  it('end the stream of a socket when its token is revoked', async () => {
    const { customer } = await consenting();
    const token = await service.token(app);
    const client = createSocketClient({
      url: `${service.url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { Authorization: `Bearer ${token}` },
      retryAttempts: 0,
    });
    const results: Json[] = [];
    for await (const result of client.iterate({ query: CONSENT, variables: { id: customer } })) {
      results.push(result);
      if (results.length > 1) continue;
      const authorization = `Basic ${Buffer.from(`${app.appId}:${app.clientSecret}`).toString('base64')}`;
      const body = new URLSearchParams({ token });
      await fetch(`${service.url}/oauth/revoke`, { method: 'POST', headers: { authorization }, body });
    }
    expect(results.at(-1).errors[0].extensions.code).to.equal('UNAUTHENTICATED');
    await client.dispose();
  });

  it('answer a request with another Upgrade header as plain HTTP', async () => {
    const { port } = new URL(service.url);
    const body = JSON.stringify({ query: '{ viewer { __typename } }' });
    const head = [
      'POST /graphql HTTP/1.1',
      'Host: localhost',
      'Connection: Upgrade, HTTP2-Settings',
      'Upgrade: h2c',
      'HTTP2-Settings: AAEAAEAA',
      `Authorization: ${app.credentials['authorization']}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      '',
      body,
    ];
    const text = await new Promise<string>((resolve, reject) => {
      const socket = createConnection(Number(port), '127.0.0.1', () => socket.write(head.join('\r\n')));
      let seen = '';
      socket.on('data', (chunk) => {
        seen += chunk.toString();
        if (!seen.includes('"data"')) return;
        socket.destroy();
        resolve(seen);
      });
      socket.on('error', reject);
      socket.on('close', () => resolve(seen));
    });
    expect(text).to.match(/^HTTP\/1.1 200/);
    expect(text).to.include('__typename');
  });

  it('send the commit of a transaction that began before the subscription', async () => {
    const fresh = await service.makeApp();
    const customer = await makeCustomer(fresh);
    await grant(fresh, customer, 'personalization');
    const held = await holdFact(service, fresh.appId, customer);
    const client = await subscribe(fresh, PROFILE, { id: customer });
    await client.until(({ results }) => results.length > 0);
    expect(client.results[0].data.profileChanged.facts).to.deep.equal([]);
    await held.commit();
    await client.until(({ results }) => results.at(-1).data.profileChanged.facts.length > 0);
  });

  it('continue after the listening connection was lost', async () => {
    const { customer } = await consenting();
    const client = await subscribe(app, PROFILE, { id: customer });
    await client.until(({ results }) => results.length > 0);
    await service.sql(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE application_name = 'consent-notices' AND datname = current_database()`,
    );
    await sendClaims(app, claimBody(customer));
    await client.until(({ results }) => results.at(-1).data.profileChanged.facts.length > 0);
  });
});

function statusOf(results: readonly Json[]): string | undefined {
  return results.at(-1)?.data.consentChanged.purposes[0]?.status as string | undefined;
}

/** Writes a fact in a transaction that stays open. */
async function holdFact(
  service: TestService,
  appId: string,
  customer: string,
): Promise<{ commit: () => Promise<void> }> {
  let commit = (): void => undefined;
  const released = new Promise<void>((resolve) => (commit = resolve));
  let written = (): void => undefined;
  const begun = new Promise<void>((resolve) => (written = resolve));
  const fact = {
    attribute: 'city',
    resolvedValue: 'Wien',
    confidence: 0.5,
    resolutionMethod: 'single_source',
    consentPurpose: 'PERSONALIZATION',
    evidence: [],
    alternatives: [],
  };
  const done = service.services.database.transaction(appId, async (tx) => {
    await tx.execute(
      `INSERT INTO facts (app_id, customer_id, purpose, attribute, epoch, document, rest_document, confidence,
        resolved_at)
       VALUES ($1, $2, 1, 'city', 1, $3, $3, 0.5, now())`,
      [appId, customer, JSON.stringify(fact)],
    );
    written();
    await released;
  });
  await begun;
  return {
    commit: async () => {
      commit();
      await done;
    },
  };
}
