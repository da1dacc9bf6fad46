import { createConnection } from 'node:net';
import type { Socket } from 'node:net';
import { expect } from 'chai';
import { LiveClient } from '../support/LiveClient.js';
import { claimBody, grant, makeCustomer, revoke, sendClaims } from '../support/records.js';
import { eventsRequest } from '../support/requestBytes.js';
import type { TestPartner } from '../support/TestPartner.js';
import { TestService } from '../support/TestService.js';

const PROFILE = `subscription ($id: ID!) { profileChanged(customerId: $id, consentPurpose: PERSONALIZATION) {
  facts { attribute resolvedValue } } }`;

/** Of one claim; every event tells all facts anew, so that the buffers of the system fill soon. */
const VALUE_CHARACTERS = 12_000;

describe('A subscriber that does not read', function () {
  this.timeout(240_000);
  let service: TestService;
  let app: TestPartner;

  before(async () => {
    service = await TestService.start();
    app = await service.makeApp();
  });
  after(() => service.stop());

  async function subscriptions(): Promise<number> {
    const text = await (await fetch(`${service.operationsUrl}/metrics`)).text();
    return Number(/^graphql_subscriptions (\d+)/m.exec(text)?.[1]);
  }

  /** Sends the request of a subscription and reads nothing of its answer. */
  async function subscribeAndIgnore(id: string): Promise<Socket> {
    const { hostname, port } = new URL(service.url);
    const socket = createConnection(Number(port), hostname);
    socket.pause();
    socket.on('error', () => undefined);
    socket.write(eventsRequest(app, { query: PROFILE, variables: { id } }));
    while ((await subscriptions()) === 0) await new Promise((wake) => setTimeout(wake, 20));
    return socket;
  }

  it('is disconnected and delays neither other subscribers nor a withdrawal', async () => {
    const customer = await makeCustomer(app);
    const receipt = await grant(app, customer, 'personalization');
    const slow = await subscribeAndIgnore(customer);
    for (let count = 0; (await subscriptions()) > 0; count += 1) {
      const value = `${count} `.padEnd(VALUE_CHARACTERS, 'x');
      await sendClaims(app, ...claimsOf(customer, value));
    }
    const reader = await LiveClient.open(app, PROFILE, { id: customer });
    await reader.until(({ results }) => results.length > 0);
    await sendClaims(app, claimBody(customer, { attribute: 'last.word', value: 'heard' }));
    await reader.until(({ results }) => JSON.stringify(results.at(-1)).includes('heard'));
    await revoke(app, receipt);
    await reader.over();
    expect(reader.results.at(-1).errors[0].extensions.code).to.equal('CONSENT_DENIED');
    slow.destroy();
  });

  function claimsOf(customer: string, value: string): Record<string, unknown>[] {
    return Array.from({ length: 20 }, (_, index) =>
      claimBody(customer, { attribute: `long.text_${index}`, value }),
    );
  }
});
