import { expect } from 'chai';
import pg from 'pg';
import { ChildService } from '../support/ChildService.js';
import { claimBody, grant, makeCustomer } from '../support/records.js';
import { LOCK_WAITERS } from '../support/lockWaiters.js';
import { Relay } from '../support/Relay.js';
import type { Answer, TestPartner } from '../support/TestPartner.js';
import { freshKey } from '../support/TestPartner.js';
import { TestService } from '../support/TestService.js';

const RETRIES = 5;

const CHANGE = `mutation($key: String!, $id: ID!) {
  updateCustomer(idempotencyKey: $key, id: $id, input: { metadata: { n: 1 } }) { status } }`;

/** A row that is locked from outside, and the write that waits for it. */
interface Stuck {
  lock: readonly [table: string, column: string];
  send: (customer: string, receipt: string, key: string) => Promise<Answer>;
  /** Another write, for other rows. */
  other: (customer: string, receipt: string) => Promise<Answer>;
}

describe('Retries under the key of a write that is stuck', () => {
  let service: TestService;
  let app: TestPartner;
  let owner: pg.Client;
  let watcher: pg.Client;

  before(async () => {
    service = await TestService.start({ ROLE: 'gateway' });
    app = await service.makeApp();
    const connection = { connectionString: service.database.ownerUrl };
    [owner, watcher] = [new pg.Client(connection), new pg.Client(connection)];
    await Promise.all([owner.connect(), watcher.connect()]);
  });
  after(async () => {
    await Promise.all([owner.end(), watcher.end()]);
    await service.stop();
  });

  const link = async (): Promise<[customer: string, receipt: string]> => {
    const customer = await makeCustomer(app);
    return [customer, await grant(app, customer, 'personalization')];
  };
  const lockWaiters = async (): Promise<number> => (await watcher.query(LOCK_WAITERS)).rowCount ?? 0;

  const asking =
    (
      method: string,
      path: (customer: string, receipt: string) => string,
      body: (customer: string) => unknown,
    ) =>
    (customer: string, receipt: string, key = freshKey(), by = app): Promise<Answer> =>
      by.rest(method, path(customer, receipt), body(customer), { 'idempotency-key': key });

  const change = asking(
    'PATCH',
    (id) => `/v1/customers/${id}`,
    () => ({ metadata: { n: 1 } }),
  );
  const claim = asking(
    'POST',
    () => '/v1/claims',
    (id) => claimBody(id),
  );
  const batch = asking(
    'POST',
    () => '/v1/claims/batch',
    (id) => ({ claims: [claimBody(id)] }),
  );
  const revoke = asking(
    'POST',
    (_, id) => `/v1/consent-receipts/${id}/revoke`,
    () => ({}),
  );
  const rename = asking(
    'PATCH',
    () => `/v1/apps/${app.appId}`,
    () => ({ name: 'Renamed' }),
  );

  const CASES: Readonly<Record<string, Stuck>> = {
    'a change': { lock: ['customers', 'customer_id'], send: change, other: change },
    'a mutation in GraphQL': {
      lock: ['customers', 'customer_id'],
      send: (id, _, key) => app.graphql(CHANGE, { id, key }),
      other: change,
    },
    'a claim, which may share a transaction': {
      lock: ['customer_heads', 'customer_id'],
      send: claim,
      other: claim,
    },
    'a batch': { lock: ['customer_heads', 'customer_id'], send: batch, other: batch },
    'a withdrawal': { lock: ['customer_heads', 'customer_id'], send: revoke, other: revoke },
    'a change by the operator': {
      lock: ['apps', 'app_id'],
      send: (id, receipt, key) => rename(id, receipt, key, service.admin),
      other: async () =>
        service.admin.rest('POST', '/v1/apps', {
          name: 'Other',
          redirect_uris: ['https://other.example/cb'],
          allowed_scopes: ['apps:read'],
        }),
    },
  };

  /** What came of retries that were sent while the first one waited for the lock. */
  async function sendRetries({ lock, send, other }: Stuck): Promise<{
    answeredBefore: number;
    waiting: number;
    answers: Answer[];
    written: Answer;
  }> {
    const [stuck, free] = [await link(), await link()];
    const [table, column] = lock;
    const key = freshKey();
    await owner.query('BEGIN');
    await owner.query(`SELECT FROM ${table} WHERE ${column} = $1 FOR NO KEY UPDATE`, [
      table === 'apps' ? app.appId : stuck[0],
    ]);
    let answeredBefore = 0;
    const sendCounted = async (): Promise<Answer> => {
      const answer = await send(...stuck, key);
      answeredBefore += 1;
      return answer;
    };
    const first = sendCounted();
    while ((await lockWaiters()) === 0);
    const retries = Array.from({ length: RETRIES }, sendCounted);
    // They have all arrived when later requests were answered.
    for (let reads = 0; reads < 3; reads += 1) await app.rest('GET', `/v1/customers/${stuck[0]}`);
    const waiting = await lockWaiters();
    const written = await other(...free);
    const result = { answeredBefore, waiting, written };
    await owner.query('ROLLBACK');
    return { ...result, answers: await Promise.all([first, ...retries]) };
  }

  for (const [name, stuck] of Object.entries(CASES))
    it(`take none of the app's transactions: ${name}`, async () => {
      let seen = await sendRetries(stuck);
      // On a slow machine the first one may have waited for as long as it does for a lock.
      for (let tries = 1; tries < 3 && seen.answeredBefore > 0; tries += 1) seen = await sendRetries(stuck);
      const { answers, written, ...counts } = seen;
      expect(written.status, written.text).to.be.within(200, 202);
      expect(counts).to.deep.equal({ answeredBefore: 0, waiting: 1 });
      const [first, ...retries] = answers;
      expect(first?.status, first?.text).to.be.within(200, 202);
      for (const { text, headers } of retries)
        expect([text, headers.get('idempotent-replayed')]).to.deep.equal([first?.text, 'true']);
    });

  it('are answered when the connection of the first one dies silently, and take effect once', async () => {
    const url = new URL(service.database.ownerUrl);
    const relay = await Relay.start(Number(url.port));
    url.port = String(relay.port);
    const node = await ChildService.start(url.href, { ROLE: 'gateway', DATABASE_TIMEOUT_MS: '1000' });
    try {
      const [customer] = await link();
      const key = freshKey();
      const send = (): Promise<Answer> => claim(customer, '', key, app.at(node.url));
      await owner.query('BEGIN');
      await owner.query('SELECT FROM customer_heads WHERE customer_id = $1 FOR UPDATE', [customer]);
      const first = send();
      while ((await lockWaiters()) === 0);
      relay.abandon();
      await owner.query('ROLLBACK');
      const untilDone = async (): Promise<Answer> => {
        for (;;) {
          const answer = await send();
          if (answer.status === 202) return answer;
          // Others may be given connections that died too.
          expect(answer.status, answer.text).to.be.oneOf([409, 503]);
        }
      };
      const retries = Array.from({ length: RETRIES }, untilDone);
      expect((await first).status).to.equal(503);
      // PostgreSQL hears that it is gone.
      relay.resume();
      for (const { body } of await Promise.all(retries)) expect(body.sequence).to.equal(1);
    } finally {
      await node.kill();
      await relay.stop();
    }
  });
});
