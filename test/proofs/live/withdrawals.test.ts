import { expect } from 'chai';
import { GateHold } from '../../../src/graphql/live/GateHold.js';
import { LiveStream } from '../../../src/graphql/live/LiveStream.js';
import { claimBody, expectStatus, grant, makeCustomer } from '../../support/records.js';
import { ChildService } from '../../support/ChildService.js';
import { LiveClient } from '../../support/LiveClient.js';
import type { Json, TestPartner } from '../../support/TestPartner.js';
import { TestService } from '../../support/TestService.js';
import { recordProof } from '../../support/recordProof.js';
import { IN_PROOFS } from '../../support/itInProofs.js';

const ROUNDS = Number(process.env['LIVE_ROUNDS'] ?? (IN_PROOFS ? 300 : 12));
const SUBSCRIBERS = 4;

const PROFILE = `subscription ($id: ID!) { profileChanged(customerId: $id, consentPurpose: PERSONALIZATION) {
  facts { attribute resolvedValue evidence { id } } } }`;

/**
 * Subscribers of two processes, claims that change the profile all the time, and withdrawals: after the
 * answer to a withdrawal, no subscriber hears of a fact of the epoch that it closed.
 */
describe('Subscriptions during withdrawals', () => {
  let service: TestService;
  let child: ChildService;
  let second: string;
  let app: TestPartner;
  let figure = '';

  before(async () => {
    service = await TestService.start();
    child = await ChildService.start(service.database.ownerUrl, { LOG_LEVEL: 'warn' });
    second = child.url;
    app = await service.makeApp();
  });
  after(async () => {
    await child.kill();
    await service.stop();
  });

  it(`send no event of a closed epoch after the answer in ${ROUNDS} withdrawals`, async function () {
    if (IN_PROOFS) this.timeout(3_600_000);
    const seen = await withdrawals(ROUNDS);
    expect(seen.events, 'events of open epochs, or this would show nothing').to.be.at.least(
      ROUNDS * SUBSCRIBERS,
    );
    expect(seen).to.include({ late: 0, ended: ROUNDS * SUBSCRIBERS });
    figure = `${seen.events} events of open epochs, ${seen.late} late, ${seen.ended} ended`;
  });

  it('send none even when messages are delayed before they are sent', async function () {
    if (IN_PROOFS) this.timeout(3_600_000);
    await delayed(async () => {
      expect((await withdrawals(ROUNDS)).late).to.equal(0);
    });
  });

  it('send some when the gate is not held (control)', async function () {
    if (IN_PROOFS) this.timeout(3_600_000);
    const { around } = GateHold.prototype;
    GateHold.prototype.around = (_topic, _changed, work) => work((push) => push());
    try {
      await delayed(async () => {
        let late = 0;
        for (let tries = 0; tries < 20 && late === 0; tries += 1) ({ late } = await withdrawals(5));
        expect(late).to.be.greaterThan(0);
        recordProof({
          proof: 'live/withdrawals',
          injected: `withdrawals while ${SUBSCRIBERS} subscribers of two processes hear of every change, also where what was read waits`,
          times: 2 * ROUNDS,
          checked: 'after the answer nobody hears of a fact of the epoch that it closed',
          figure,
          broken: `nobody holds the gate: ${late} late`,
        });
      });
    } finally {
      GateHold.prototype.around = around;
    }
  });

  /** As a busy process makes what was read wait. */
  async function delayed(work: () => Promise<void>): Promise<void> {
    const { push } = LiveStream.prototype;
    LiveStream.prototype.push = async function (message): Promise<void> {
      await new Promise((wake) => setTimeout(wake, 20));
      await push.call(this, message);
    };
    try {
      await work();
    } finally {
      LiveStream.prototype.push = push;
    }
  }

  interface Seen {
    events: number;
    late: number;
    ended: number;
  }

  async function withdrawals(rounds: number): Promise<Seen> {
    const seen = { events: 0, late: 0, ended: 0 };
    for (let round = 0; round < rounds; round += 1) await withdrawOnce(seen);
    return seen;
  }

  async function withdrawOnce(seen: Seen): Promise<void> {
    const customer = await makeCustomer(app);
    const receipt = await grant(app, customer, 'personalization');
    const clients = await Promise.all(
      Array.from({ length: SUBSCRIBERS }, (_, place) =>
        LiveClient.open(place % 2 === 0 ? app : app.at(second), PROFILE, { id: customer }),
      ),
    );
    let sending = true;
    const load = sendUntil(customer, () => !sending);
    await Promise.all(clients.map((client) => client.until(({ results }) => factsOf(results.at(-1)) > 0)));
    await new Promise((wake) => setTimeout(wake, Math.random() * 60));
    expectStatus(await app.at(second).rest('POST', `/v1/consent-receipts/${receipt}/revoke`, {}), 202);
    // What the system had of an event before the answer is read within a few turns of the loop.
    for (let turns = 0; turns < 10; turns += 1) await new Promise((turn) => setImmediate(turn));
    const answeredAt = clients.map(({ results }) => results.length);
    await Promise.all(clients.map((client) => client.over()));
    sending = false;
    await load;
    for (const [place, { results, isComplete }] of clients.entries()) {
      seen.events += results.filter((result) => factsOf(result) > 0).length;
      seen.late += results.slice(answeredAt[place]).filter((result) => result.errors === undefined).length;
      const isDenied = results.at(-1)?.errors?.[0]?.extensions.code === 'CONSENT_DENIED';
      if (isDenied && isComplete) seen.ended += 1;
    }
  }

  /** Claims of ever new values, until told to stop. Those after the withdrawal are refused. */
  async function sendUntil(customer: string, isOver: () => boolean): Promise<void> {
    for (let count = 0; !isOver(); count += 1) {
      const attribute = `attribute_${count % 5}`;
      await app.rest('POST', '/v1/claims', claimBody(customer, { attribute, value: `value ${count}` }));
    }
  }
});

function factsOf(result: Json): number {
  return (result?.data?.profileChanged?.facts.length ?? 0) as number;
}
