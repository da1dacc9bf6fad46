import { expect } from 'chai';
import { claimDeliveries } from '../../../src/jobs/webhooks/claimDeliveries.js';
import type { ClaimedDelivery } from '../../../src/jobs/webhooks/claimDeliveries.js';
import { Turns } from '../../../src/concurrency/Turns.js';
import { DeliveryGate } from '../../../src/jobs/webhooks/DeliveryGate.js';
import { AttemptFailure } from '../../../src/jobs/webhooks/AttemptFailure.js';
import { WebhookHarness } from '../../support/WebhookHarness.js';

describe('DeliveryGate', () => {
  let harness: WebhookHarness;
  let gate: DeliveryGate;
  let customers: string[];
  let claims: ClaimedDelivery[];

  before(async () => (harness = await WebhookHarness.open()));
  after(() => harness.close());

  beforeEach(async () => {
    await harness.clear();
    harness.now = new Date();
    const services = { database: harness.database, secrets: harness.secrets, clock: () => harness.now };
    gate = new DeliveryGate(services);
    const { endpoint } = await harness.register('https://receiver.example/');
    customers = [];
    for (let place = 0; place < 4; place += 1) {
      const id = await harness.addCustomer(0b1111111);
      customers.push(id);
      await harness.announce({
        type: 'profile.updated',
        data: { customer_id: id, purposes: ['analytics'], updated_at: '' },
      });
    }
    await harness.worker.dispatchRound();
    claims = await claimDeliveries(harness.database, harness.appId, [endpoint.id], harness.now);
    expect(claims).to.have.lengthOf(4);
  });

  function claimOf(customerId: string | undefined): ClaimedDelivery {
    const claim = claims.find((one) => one.customerId === customerId);
    if (claim === undefined) throw new Error('There is no such claim.');
    return claim;
  }

  /** Sends all, and tells of each in the order of the customers. */
  async function passAll(send: (claim: ClaimedDelivery) => Promise<void>): Promise<unknown[]> {
    const ordered = customers.map(claimOf);
    const passed = await Promise.allSettled(ordered.map((claim) => gate.pass(claim, () => send(claim))));
    return passed.map((one) => (one.status === 'fulfilled' ? one.value.kind : one.reason));
  }

  it('sends deliveries of one app at the same time', async () => {
    const inside = new Set<string>();
    let open = (): void => undefined;
    const allInside = new Promise<void>((resolve) => (open = resolve));
    // Nobody's request is handed over before everybody's was begun.
    const kinds = await passAll((claim) => {
      inside.add(claim.deliveryId);
      if (inside.size === claims.length) open();
      return allInside;
    });
    expect(kinds).to.deep.equal(['sent', 'sent', 'sent', 'sent']);
  });

  it('delays revocations until the requests are sent and drops later deliveries', async () => {
    const order: string[] = [];
    const revoked: Promise<unknown>[] = [];
    const kinds = await passAll(async (claim) => {
      revoked.push(harness.setMask(claim.customerId ?? '', 0).then(() => order.push('revoked')));
      await new Promise((resolve) => setTimeout(resolve, 100));
      order.push('sent');
    });
    await Promise.all(revoked);
    expect(kinds).to.deep.equal(['sent', 'sent', 'sent', 'sent']);
    expect(order).to.deep.equal([...Array(4).fill('sent'), ...Array(4).fill('revoked')]);
    expect(await passAll(async () => void order.push('late'))).to.deep.equal(Array(4).fill('dropped'));
    expect(order).to.not.include('late');
  });

  it('releases a delivery whose customer is locked and sends the others', async () => {
    const sent: (string | null)[] = [];
    await harness.database.transaction(harness.appId, async (tx) => {
      await tx.query(
        'SELECT 1 FROM customer_heads WHERE app_id = $1 AND customer_id = $2 FOR NO KEY UPDATE',
        [harness.appId, customers[1]],
      );
      const kinds = await passAll(async ({ customerId }) => void sent.push(customerId));
      expect(kinds).to.deep.equal(['sent', 'released', 'sent', 'sent']);
    });
    expect(sent).to.have.members([customers[0], customers[2], customers[3]]);
  });

  it('sends deliveries of an app that has one turn while another of it waits for a lock', async () => {
    const turns = new Turns({ perApp: 1, waitMs: Infinity });
    const database = harness.database.withTurns(turns);
    gate = new DeliveryGate({ database, secrets: harness.secrets, clock: () => harness.now });
    const order: string[] = [];
    const pass = async (name: string, customer: string | undefined): Promise<void> => {
      const { kind } = await gate.pass(claimOf(customer), async () => undefined);
      order.push(`${name} ${kind}`);
    };
    await harness.database.transaction(harness.appId, async (tx) => {
      await tx.query(
        'SELECT 1 FROM customer_heads WHERE app_id = $1 AND customer_id = $2 FOR NO KEY UPDATE',
        [harness.appId, customers[1]],
      );
      const locked = pass('locked', customers[1]);
      while ((await waitingForLocks()) === 0);
      await pass('other', customers[0]);
      await locked;
    });
    expect(order).to.deep.equal(['other sent', 'locked released']);
  });

  async function waitingForLocks(): Promise<number> {
    const [row] = await harness.rows(
      `SELECT count(*)::integer AS waiting FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      [],
    );
    return Number(row?.['waiting']);
  }

  it('drops a delivery whose consent is withdrawn and sends the others', async () => {
    await harness.setMask(customers[2] ?? '', 0);
    expect(await passAll(async () => undefined)).to.deep.equal(['sent', 'sent', 'dropped', 'sent']);
  });

  it('fails a delivery whose request cannot be sent and sends the others', async () => {
    const failure = new AttemptFailure('connection_failed');
    const kinds = await passAll(async ({ customerId }) => {
      if (customerId === customers[0]) throw failure;
    });
    expect(kinds).to.deep.equal([failure, 'sent', 'sent', 'sent']);
  });

  it('retries each delivery alone when their transaction fails before any request', async () => {
    const [first, ...others] = customers.map(claimOf);
    const unstorable = { ...first, appId: harness.appId, deliveryId: '\0' } as ClaimedDelivery;
    const sent: string[] = [];
    const passed = await Promise.allSettled(
      [unstorable, ...others].map((claim) => gate.pass(claim, async () => void sent.push(claim.deliveryId))),
    );
    expect(passed.map(({ status }) => status)).to.deep.equal([
      'rejected',
      'fulfilled',
      'fulfilled',
      'fulfilled',
    ]);
    expect(sent).to.have.members(others.map(({ deliveryId }) => deliveryId));
  });
});
