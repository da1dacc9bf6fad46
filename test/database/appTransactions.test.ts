import { expect } from 'chai';
import pg from 'pg';
import { grant, makeCustomer } from '../support/records.js';
import type { TestPartner } from '../support/TestPartner.js';
import { TestService } from '../support/TestService.js';
import { LOCK_WAITERS } from '../support/lockWaiters.js';

interface Linked {
  customerId: string;
  receiptId: string;
}

describe('Transactions of one app that all wait for a lock', () => {
  let service: TestService;
  let owner: pg.Client;
  let watcher: pg.Client;

  before(async () => {
    service = await TestService.start();
    const connection = { connectionString: service.database.ownerUrl };
    [owner, watcher] = [new pg.Client(connection), new pg.Client(connection)];
    await Promise.all([owner.connect(), watcher.connect()]);
  });
  after(async () => {
    await Promise.all([owner.end(), watcher.end()]);
    await service.stop();
  });

  const link = async (app: TestPartner): Promise<Linked> => {
    const customerId = await makeCustomer(app);
    return { customerId, receiptId: await grant(app, customerId, 'support') };
  };

  const revoke = (app: TestPartner, { receiptId }: Linked): Promise<{ status: number }> =>
    app.rest('POST', `/v1/consent-receipts/${receiptId}/revoke`, {});

  const untilLocked = async (): Promise<void> => {
    while ((await watcher.query(LOCK_WAITERS)).rowCount === 0);
  };

  for (const kind of ['writes', 'withdrawals'] as const)
    it(`(${kind}) leave connections to the reads, writes and withdrawals of another app`, async () => {
      const [busy, app] = [await service.makeApp(), await service.makeApp()];
      const [stuck, own] = [await link(busy), await link(app)];
      await owner.query('BEGIN');
      await owner.query('SELECT FROM customers WHERE customer_id = $1 FOR UPDATE', [stuck.customerId]);
      await owner.query('SELECT FROM customer_heads WHERE customer_id = $1 FOR UPDATE', [stuck.customerId]);
      const path = `/v1/customers/${stuck.customerId}`;
      const waiting = Array.from({ length: 20 }, (_, n) =>
        kind === 'writes' ? busy.rest('PATCH', path, { metadata: { n } }) : revoke(busy, stuck),
      );
      await untilLocked();
      const answers = await Promise.all([
        app.rest('GET', `/v1/profiles/${own.customerId}`),
        app.rest('PATCH', `/v1/customers/${own.customerId}`, { metadata: { n: 1 } }),
        revoke(app, own),
      ]);
      expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 202]);
      await owner.query('ROLLBACK');
      await Promise.all(waiting);
    });

  it('refuse a further write after five seconds, and say what it waited for', async () => {
    const app = await service.makeApp();
    const stuck = await link(app);
    await owner.query('BEGIN');
    await owner.query('SELECT FROM customers WHERE customer_id = $1 FOR UPDATE', [stuck.customerId]);
    const path = `/v1/customers/${stuck.customerId}`;
    const waiting = Array.from({ length: 20 }, (_, n) => app.rest('PATCH', path, { metadata: { n } }));
    const first = await Promise.any(
      waiting.map(async (one) => {
        const answer = await one;
        return answer.status === 429 ? answer : Promise.reject(new Error(answer.text));
      }),
    );
    await owner.query('ROLLBACK');
    const refused = (await Promise.all(waiting)).filter(({ status }) => status === 429);
    expect(refused).to.include(first);
    for (const { headers, body } of refused) {
      expect([body.error.code, headers.get('retry-after')]).to.deep.equal(['rate_limited', '1']);
      expect(body.error.message).to.equal(
        'Transactions of the app waited too long for each other; send fewer writes at once.',
      );
    }
  });

  it('do not delay a withdrawal of the same app', async () => {
    const app = await service.makeApp();
    const [stuck, own] = [await link(app), await link(app)];
    await owner.query('BEGIN');
    await owner.query('SELECT FROM customers WHERE customer_id = $1 FOR UPDATE', [stuck.customerId]);
    const path = `/v1/customers/${stuck.customerId}`;
    const waiting = Array.from({ length: 20 }, (_, n) => app.rest('PATCH', path, { metadata: { n } }));
    await untilLocked();
    expect((await revoke(app, own)).status).to.equal(202);
    await owner.query('ROLLBACK');
    await Promise.all(waiting);
  });
});
