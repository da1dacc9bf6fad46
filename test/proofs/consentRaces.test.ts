import { expect } from 'chai';
import { decideConnection } from '../../src/commands/decideConnection.js';
import { withdrawConnection } from '../../src/commands/withdrawConnection.js';
import { newId } from '../../src/domain/ids.js';
import { ChildService } from '../support/ChildService.js';
import type { TestPartner } from '../support/TestPartner.js';
import { TestService } from '../support/TestService.js';
import { expectStatus, grant, makeCustomer } from '../support/records.js';
import { recordProof } from '../support/recordProof.js';
import { IN_PROOFS, itInProofs } from '../support/itInProofs.js';

const ROUNDS = IN_PROOFS ? 60 : 3;

/**
 * Approve, record and withdraw in every order, through REST, GraphQL and the commands of the pages, while one
 * of the processes is killed: what the person decided last is what holds.
 */
describe('An approval, a receipt and a withdrawal at the same time', function () {
  // A round starts a process, which takes ten seconds and more on a busy machine.
  this.timeout(IN_PROOFS ? 3_600_000 : 600_000);
  let service: TestService;
  let app: TestPartner;
  const account = newId('acc');

  before(async () => {
    service = await TestService.start({ ROLE: 'gateway' });
    app = await service.makeApp();
    await service.sql(
      `INSERT INTO accounts (account_id, email, email_verified, created_at, updated_at)
       VALUES ($1, 'maya@example.org', true, now(), now())`,
      [account],
    );
  });
  after(() => service.stop());

  const context = () => {
    const { clock, secrets } = service.services;
    return { appId: app.appId, now: clock(), clock, secrets, rejected: new Map() };
  };

  async function newSession(customer: string): Promise<string> {
    const body = { customer_id: customer, requested_purposes: ['analytics', 'support'] };
    return expectStatus(await app.rest('POST', '/v1/connection-sessions', body), 201).session.id as string;
  }

  const approve = (sessionId: string) =>
    service.services.database.transaction(app.appId, (tx) =>
      decideConnection(tx, context(), { sessionId, accountId: account, purposes: ['analytics', 'support'] }),
    );

  const withdraw = (customerId: string) =>
    service.services.database.transaction(app.appId, (tx) =>
      withdrawConnection(tx, context(), { customerId, accountId: account, purposes: ['analytics'] }),
    );

  /** As the partner does, through either door; a request that a kill cut off counts as not answered. */
  function record(
    by: TestPartner,
    customer: string,
    session: string,
    door: 'rest' | 'graphql',
  ): Promise<unknown> {
    const purposes = ['analytics'];
    const sent =
      door === 'rest'
        ? by.rest('POST', '/v1/consent-receipts', {
            customer_id: customer,
            connection_session_id: session,
            purposes,
          })
        : by.graphql(
            `mutation($key: String!, $input: CreateConsentReceiptInput!) {
               createConsentReceipt(idempotencyKey: $key, input: $input) { id } }`,
            { input: { customerId: customer, connectionSessionId: session, purposes: ['ANALYTICS'] } },
          );
    return sent.catch(() => undefined);
  }

  async function isGranted(customer: string): Promise<boolean> {
    const body = expectStatus(await app.rest('GET', `/v1/customers/${customer}/effective-consent`), 200);
    const items = body.purposes as { purpose: string; status: string }[];
    return items.some(({ purpose, status }) => purpose === 'analytics' && status === 'granted');
  }

  it('keep a consent withdrawn that was approved earlier, even when a process is killed', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      // A token lives for 15 minutes, and the long form takes longer.
      app = await service.makeApp();
      const child = await ChildService.start(service.database.ownerUrl);
      const customer = await makeCustomer(app);
      const session = await newSession(customer);
      await approve(session);
      const work = [
        record(app.at(child.url), customer, session, 'rest'),
        record(app, customer, session, 'graphql'),
        withdraw(customer),
      ];
      await Promise.race(work);
      await child.kill();
      await Promise.all(work);
      expect(await isGranted(customer), `round ${round}`).to.equal(false);
      for (const door of ['rest', 'graphql'] as const) await record(app, customer, session, door);
      expect(await isGranted(customer), `round ${round}, recorded afterwards`).to.equal(false);
    }
  });

  it('keep an approval that was given after the withdrawal', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const customer = await makeCustomer(app);
      const before = await newSession(customer);
      await approve(before);
      const later = await newSession(customer);
      await Promise.all([withdraw(customer), record(app, customer, before, 'rest')]);
      await approve(later);
      await record(app, customer, later, 'graphql');
      expect(await isGranted(customer), `round ${round}`).to.equal(true);
    }
  });

  itInProofs('grant the consent again when a revocation does not end approvals (control)', async () => {
    const outcome = async (variant?: string): Promise<boolean> => {
      const child = await ChildService.start(service.database.ownerUrl, { ROLE: 'gateway' }, variant);
      const customer = await makeCustomer(app);
      const receipt = await grant(app, customer, 'analytics');
      const session = await newSession(customer);
      await approve(session);
      expectStatus(await app.at(child.url).rest('POST', `/v1/consent-receipts/${receipt}/revoke`), 202);
      await record(app, customer, session, 'rest');
      await child.kill();
      return isGranted(customer);
    };
    expect(await outcome()).to.equal(false);
    expect(await outcome('proofs/variants/keepApprovals.js')).to.equal(true);
    recordProof({
      proof: 'consentRaces',
      injected:
        'approve, record and withdraw at the same moment over both doors, a process killed each round',
      times: 2 * ROUNDS,
      checked: 'the latest decision of the person holds',
      figure: '0 otherwise',
      broken: 'a revoke that leaves approvals alone: granted again by an older approval',
    });
  });
});
