import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { expect } from 'chai';
import { WebSocket } from 'ws';
import { collectGarbage } from '../support/collectGarbage.js';
import { LiveClient } from '../support/LiveClient.js';
import { makeCustomer } from '../support/records.js';
import { eventsRequest } from '../support/requestBytes.js';
import type { TestPartner } from '../support/TestPartner.js';
import { TestService } from '../support/TestService.js';

const CONSENT = 'subscription ($id: ID!) { consentChanged(customerId: $id) { evaluatedAt } }';

const SUBSCRIPTIONS = 40;
const JUNK_BYTES = 1_000_000;

describe('An open subscription', () => {
  let service: TestService;
  let app: TestPartner;
  let customer: string;

  before(async () => {
    service = await TestService.start();
    app = await service.makeApp();
    customer = await makeCustomer(app);
  });
  after(() => service.stop());

  async function memory(): Promise<number> {
    await collectGarbage();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  }

  /** Expects that much less is kept than was sent. */
  async function expectLetGo(before: number): Promise<void> {
    expect((await memory()) - before).to.be.below((SUBSCRIPTIONS * JUNK_BYTES) / 2);
  }

  const variables = (): Record<string, unknown> => ({ id: customer, junk: 'x'.repeat(JUNK_BYTES) });

  /** By bytes, as `fetch` would keep the body here. */
  async function subscribeByEvents(): Promise<Socket> {
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    socket.write(eventsRequest(app, { query: CONSENT, variables: variables() }));
    for (let seen = ''; !seen.includes('event: next');) seen += String(await once(socket, 'data'));
    return socket;
  }

  it('keeps nothing over SSE of its request but what it declares', async () => {
    const sockets = [await subscribeByEvents()];
    const before = await memory();
    for (let count = 0; count < SUBSCRIPTIONS; count += 1) sockets.push(await subscribeByEvents());
    await expectLetGo(before);
    for (const socket of sockets) socket.destroy();
  });

  it('keeps nothing over WebSocket of its request but what it declares', async () => {
    const socket = new WebSocket(`${service.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    await new Promise((resolve) => socket.once('open', resolve));
    const received = (): Promise<string> =>
      new Promise((resolve) => socket.once('message', (data: Buffer) => resolve(data.toString())));
    socket.send(JSON.stringify({ type: 'connection_init', payload: app.credentials }));
    expect(await received()).to.include('connection_ack');
    const subscribe = async (id: string): Promise<void> => {
      const payload = { query: CONSENT, variables: variables() };
      socket.send(JSON.stringify({ type: 'subscribe', id, payload }));
      expect(await received()).to.include('"next"');
    };
    await subscribe('first');
    const before = await memory();
    for (let count = 0; count < SUBSCRIPTIONS; count += 1) await subscribe(String(count));
    await expectLetGo(before);
    socket.close();
  });

  it('has at most 65,536 characters of variables', async () => {
    const refused = await LiveClient.open(app, CONSENT, { id: 'x'.repeat(66_000) });
    expect([refused.status, refused.refusal.errors[0].extensions.code]).to.deep.equal([
      400,
      'INVALID_REQUEST',
    ]);
    expect(refused.refusal.errors[0].message).to.include('65536 characters');
  });
});
