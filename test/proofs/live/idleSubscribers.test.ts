import { request } from 'node:http';
import type { ClientRequest } from 'node:http';
import { expect } from 'chai';
import { WebSocket } from 'ws';
import { grant, makeCustomer } from '../../support/records.js';
import { ChildService } from '../../support/ChildService.js';
import type { TestPartner } from '../../support/TestPartner.js';
import { TestService } from '../../support/TestService.js';
import { recordProof } from '../../support/recordProof.js';
import { IN_PROOFS } from '../../support/itInProofs.js';

const SUBSCRIBERS = IN_PROOFS ? 5000 : 300;
const CUSTOMERS = 100;
const MAX_BYTES = 100 * 2 ** 20;

const QUERY = `subscription ($id: ID!) { profileChanged(customerId: $id, consentPurpose: PERSONALIZATION) {
  facts { attribute resolvedValue confidence } } }`;

/** A process with subscribers that hear nothing after their first event. */
describe('Idle subscribers', () => {
  let service: TestService;
  let child: ChildService;
  const open: ClientRequest[] = [];
  const sockets: WebSocket[] = [];
  const figures: string[] = [];

  before(async () => {
    service = await TestService.start();
    child = await ChildService.start(service.database.ownerUrl, { ROLE: 'gateway', LOG_LEVEL: 'warn' });
  });
  after(async () => {
    recordProof({
      proof: 'live/idleSubscribers',
      injected: 'subscribers that hear nothing after their first event, over event streams and WebSockets',
      times: SUBSCRIBERS,
      checked: 'less than 100 MB for 5,000 (of fewer: ten times that, scaled)',
      figure: figures.join('; '),
      broken: '–',
    });
    for (const client of open) client.destroy();
    for (const socket of sockets) socket.terminate();
    await child.kill();
    await service.stop();
  });

  for (const [transport, subscribe] of Object.entries({ 'event streams': bySse, WebSockets: bySocket }))
    it(`cost less than 100 MB for 5,000 over ${transport}, measured with ${SUBSCRIBERS}`, async function () {
      this.timeout(600_000);
      // An app of its own: 10,000 subscriptions are all that one app may have.
      const app = (await service.makeApp()).at(child.url);
      const customers = await makeCustomers(app);
      const subscribeAll = (): Promise<unknown> => Promise.all(customers.map((id) => subscribe(app, id)));
      await subscribeAll();
      const before = await memory();
      for (let start = 0; start < SUBSCRIBERS; start += CUSTOMERS) await subscribeAll();
      const grown = (await memory()) - before;
      const perSubscriber = grown / SUBSCRIBERS;
      figures.push(`${(grown / 2 ** 20).toFixed(1)} MB over ${transport}`);
      if (IN_PROOFS) expect(grown).to.be.lessThan(MAX_BYTES);
      // Of few, the heap's own steps would decide.
      else expect(perSubscriber * 5000).to.be.lessThan(10 * MAX_BYTES);
    });

  async function makeCustomers(app: TestPartner): Promise<string[]> {
    const customers: string[] = [];
    for (let count = 0; count < CUSTOMERS; count += 1) {
      const customer = await makeCustomer(app);
      await grant(app, customer, 'personalization');
      customers.push(customer);
    }
    return customers;
  }

  async function memory(): Promise<number> {
    const text = await (await fetch(`${child.url}/metrics`)).text();
    return Number(/^process_resident_memory_bytes (\d+)/m.exec(text)?.[1]);
  }

  /** Resolves with the first event. */
  function bySse(app: TestPartner, id: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const headers = { ...app.credentials, 'content-type': 'application/json', accept: 'text/event-stream' };
      const sent = request(`${child.url}/graphql`, { method: 'POST', headers, agent: false }, (response) => {
        if (response.statusCode !== 200) reject(new Error(`Answered ${response.statusCode}.`));
        response.on('data', (chunk: Buffer) => {
          if (chunk.includes('event: next')) resolve();
        });
      });
      sent.on('error', reject);
      sent.end(JSON.stringify({ query: QUERY, variables: { id } }));
      open.push(sent);
    });
  }

  /** The same by the protocol GraphQL over WebSocket, on a socket of its own. */
  function bySocket(app: TestPartner, id: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const socket = new WebSocket(`${child.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', {
        headers: app.credentials,
        perMessageDeflate: false,
      });
      sockets.push(socket);
      socket.on('error', reject);
      socket.on('open', () => socket.send(JSON.stringify({ type: 'connection_init' })));
      socket.on('message', (data: Buffer) => {
        const { type } = JSON.parse(data.toString()) as { type: string };
        if (type === 'connection_ack')
          socket.send(
            JSON.stringify({ id: '1', type: 'subscribe', payload: { query: QUERY, variables: { id } } }),
          );
        if (type === 'next') resolve();
        if (type === 'error') reject(new Error(`Refused: ${data.toString()}`));
      });
    });
  }
});
