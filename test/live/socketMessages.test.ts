import { setImmediate as round, setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { CloseCode } from 'graphql-ws';
import { WebSocket } from 'ws';
import { HeldBodies } from '../../src/concurrency/HeldBodies.js';
import { grant, makeCustomer } from '../support/records.js';
import type { Json } from '../support/TestPartner.js';
import type { TestPartner } from '../support/TestPartner.js';
import { TestService } from '../support/TestService.js';

describe('The messages of a WebSocket', () => {
  let service: TestService;
  let app: TestPartner;
  let customer: string;
  let query: string;

  before(async () => {
    service = await TestService.start();
    app = await service.makeApp();
    customer = await makeCustomer(app);
    query = `subscription { consentChanged(customerId: "${customer}") { purposes { purpose } } }`;
  });
  after(() => service.stop());

  /** An acknowledged socket. */
  async function connect(): Promise<Client> {
    const client = new Client(`${service.url.replace('http', 'ws')}/graphql`);
    await client.opened;
    client.send({ type: 'connection_init', payload: app.credentials });
    await client.until(({ messages }) => messages.length > 0);
    client.messages.length = 0;
    return client;
  }

  /** Waits until so many subscriptions are open in the service. */
  async function untilOpen(count: number): Promise<void> {
    for (;;) {
      const metrics = await (await fetch(`${service.operationsUrl}/metrics`)).text();
      if (metrics.includes(`\ngraphql_subscriptions ${count}\n`)) return;
      await sleep(10);
    }
  }

  const subscribe = (id: string): Json => ({ type: 'subscribe', id, payload: { query } });
  const complete = (id: string): Json => ({ type: 'complete', id });

  it('may use the id of a completed operation again at once', async () => {
    const id = 'an "id"\\';
    const client = await connect();
    client.send(subscribe(id), complete(id), subscribe(id));
    await client.until(({ messages }) => messages.length > 0);
    await untilOpen(1);
    await grant(app, customer, 'support');
    await client.until(({ messages }) => messages.length > 1);
    const told = client.messages.map(({ type, id: of }) => [type, of]);
    expect(told).to.deep.equal([
      ['next', id],
      ['next', id],
    ]);
    client.send(complete(id));
    await untilOpen(0);
    client.send(complete(id), { type: 'ping' });
    await client.until(({ messages }) => messages.length > 2);
    expect(client.messages.at(-1)).to.deep.equal({ type: 'pong' });
    client.close();
  });

  it('are taken one in a round of the event loop, however many are sent at once', async () => {
    const client = await connect();
    client.send(...Array.from({ length: 300 }, () => ({ type: 'ping' })));
    let rounds = 0;
    for (; client.messages.length < 300; rounds += 1) await round();
    expect(rounds).to.be.at.least(300);
    client.close();
  });

  it('are taken in the turn of their app when they are large', async () => {
    const { parseTurns } = service.services;
    const run = parseTurns.run.bind(parseTurns);
    const taken: string[] = [];
    parseTurns.run = (appId, work, weight) => {
      taken.push(appId);
      return run(appId, work, weight);
    };
    const client = await connect();
    const ping = (length: number): Json => ({ type: 'ping', payload: { text: 'x'.repeat(length) } });
    try {
      client.send(ping(16_000), ping(17_000), { type: 'ping' });
      await client.until(({ messages }) => messages.length > 2);
    } finally {
      parseTurns.run = run;
    }
    expect(client.messages.map(({ payload }) => payload?.text.length)).to.deep.equal([
      16_000,
      17_000,
      undefined,
    ]);
    expect(taken).to.deep.equal([app.appId]);
    client.close();
  });

  it('of an app hold a bounded number of bytes while they arrive, and end the sockets beyond', async () => {
    const { services } = service;
    const { heldBodies } = services;
    services.heldBodies = new HeldBodies(1024 * 1024);
    const clients = await Promise.all(Array.from({ length: 6 }, () => connect()));
    const ended: number[] = [];
    for (const { closed } of clients) void closed.then(({ code }) => ended.push(code));
    for (const client of clients) client.sendBegin(400_000);
    while (ended.length < 4) await sleep(20);
    expect(ended, 'without a frame that closes it').to.deep.equal([1006, 1006, 1006, 1006]);
    const other = await connect();
    other.send({ type: 'ping' });
    await other.until(({ messages }) => messages.length > 0);
    for (const client of clients) client.close();
    await Promise.all(clients.map(({ closed }) => closed));
    other.send({ type: 'ping', payload: { text: 'x'.repeat(900_000) } });
    await other.until(({ messages }) => messages.length > 1);
    services.heldBodies = heldBodies;
    other.close();
  });

  it('open at most 100 subscriptions, also by ids that are used again', async () => {
    const client = await connect();
    const refused = (): Json => client.messages.find(({ type }) => type === 'error');
    for (let id = 1; refused() === undefined; id += 1) {
      expect(id).to.be.at.most(101);
      client.send(subscribe(`${id}`), complete(`${id}`), subscribe(`${id}`));
      await client.until(({ messages }) => messages.some(({ id: of }) => of === `${id}`));
    }
    expect(refused().payload[0].message).to.equal('A socket has at most 100 operations at a time.');
    const open = new Set(client.messages.filter(({ type }) => type === 'next').map(({ id }) => id));
    // Those that are completed count while they are still being opened.
    expect(open.size).to.be.within(90, 100);
    client.send(...[...open].map((id) => complete(id)));
    await untilOpen(0);
    client.close();
  });

  it('close the socket with 4409 when they use the id of an open operation', async () => {
    for (const [id, told] of [
      ['one', 'one'],
      ['i'.repeat(128), 'this id'],
    ] as const) {
      const client = await connect();
      client.send(subscribe(id), subscribe(id));
      expect(await client.closed).to.deep.equal({
        code: CloseCode.SubscriberAlreadyExists,
        reason: `Subscriber for ${told} already exists`,
      });
    }
  });

  it('refuse an operation that the document does not have as over SSE', async () => {
    const two = `${query.replace('subscription', 'subscription A')} ${query.replace('subscription', 'subscription B')}`;
    const client = await connect();
    for (const payload of [{ query, operationName: 'nope' }, { query: two }]) {
      client.send({ type: 'subscribe', id: 'one', payload });
      await client.until(({ messages }) => messages.length > 0);
      const [answer] = client.messages.splice(0);
      const response = await fetch(`${service.url}/graphql`, {
        method: 'POST',
        headers: { ...app.credentials, 'content-type': 'application/json', accept: 'text/event-stream' },
        body: JSON.stringify(payload),
      });
      const { errors } = (await response.json()) as Json;
      const told = ({ message, extensions }: Json): unknown => [message, extensions.code];
      expect(answer.type).to.equal('error');
      expect(answer.payload.map(told)).to.deep.equal(errors.map(told));
      expect(answer.payload[0].message).to.equal('There is no such operation in the document.');
    }
    client.close();
  });

  it('are refused with 4400 and without a line in the log when clients do not send such', async () => {
    const { log } = service.services;
    const warn = log.warn.bind(log);
    const warned: unknown[] = [];
    log.warn = (...line: unknown[]) => void warned.push(line);
    try {
      for (const message of [
        { type: 'next', id: 'one', payload: {} },
        { type: 'error', id: 'one', payload: [{ message: 'none' }] },
        { type: 'connection_ack' },
        { type: 'unknown' },
        { type: 'subscribe', id: 'one', payload: { query: '', variables: { a: Array(10_000).fill(0) } } },
      ]) {
        const client = await connect();
        client.send(message);
        expect(await client.closed, message.type).to.deep.equal({
          code: CloseCode.BadRequest,
          reason: 'Invalid message received',
        });
      }
    } finally {
      log.warn = warn;
    }
    expect(warned).to.deep.equal([]);
  });
});

/** A client that sends what it is told to, and keeps what comes back. */
class Client {
  readonly messages: Json[] = [];
  readonly opened: Promise<unknown>;
  readonly closed: Promise<{ code: number; reason: string }>;
  private readonly socket: WebSocket;
  private wake = (): void => undefined;

  constructor(url: string) {
    this.socket = new WebSocket(url, 'graphql-transport-ws');
    this.opened = new Promise((resolve) => this.socket.once('open', resolve));
    this.closed = new Promise((resolve) =>
      this.socket.once('close', (code, reason) => resolve({ code, reason: reason.toString() })),
    );
    this.socket.on('message', (data: Buffer) => {
      this.messages.push(JSON.parse(data.toString()));
      this.wake();
    });
  }

  /** A part of a message, of which the rest never comes. */
  sendBegin(bytes: number): void {
    this.socket.send(' '.repeat(bytes), { fin: false });
  }

  send(...messages: Json[]): void {
    for (const message of messages) this.socket.send(JSON.stringify(message));
  }

  /** Waits until the condition holds. The test's own timeout bounds it. */
  async until(condition: (client: Client) => boolean): Promise<void> {
    while (!condition(this)) await new Promise<void>((resolve) => (this.wake = resolve));
  }

  close(): void {
    this.socket.close();
  }
}
