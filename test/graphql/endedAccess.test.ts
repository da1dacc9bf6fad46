import { expect } from 'chai';
import pg from 'pg';
import { ALL_SCOPES } from '../../src/domain/scopes.js';
import { hashSecretToken } from '../../src/domain/secretToken.js';
import type { GraphqlAnswer, TestPartner } from '../support/TestPartner.js';
import { freshKey } from '../support/TestPartner.js';
import { TestService } from '../support/TestService.js';
import { makeCustomer } from '../support/records.js';
import { LOCK_WAITERS } from '../support/lockWaiters.js';

const INVALID = { code: 'UNAUTHENTICATED', status: 401 };
const FORBIDDEN = { code: 'INSUFFICIENT_SCOPE', status: 403 };

describe('A mutation document whose caller loses access while it runs', () => {
  let service: TestService;
  let owner: pg.Client;

  before(async () => {
    service = await TestService.start();
    owner = new pg.Client({ connectionString: service.database.ownerUrl });
    await owner.connect();
  });
  after(async () => {
    await owner.end();
    await service.stop();
  });

  const tokenOf = ({ credentials }: TestPartner): string =>
    (credentials['authorization'] ?? '').replace('Bearer ', '');

  /** Makes the token one of a member of the app. */
  async function asMember(app: TestPartner): Promise<string> {
    const accountId = `acc_${app.appId}`;
    await service.sql(
      `INSERT INTO accounts (account_id, email, email_verified, password_hash, created_at, updated_at)
        VALUES ($1, $2, true, '', now(), now())`,
      [accountId, `${app.appId.toLowerCase()}@partner.example`],
    );
    await service.sql('INSERT INTO app_members VALUES ($1, $2, $3, now(), now())', [
      app.appId,
      accountId,
      ALL_SCOPES,
    ]);
    await service.sql('UPDATE oauth_artifacts SET account_id = $1 WHERE id_hash = $2', [
      accountId,
      hashSecretToken(tokenOf(app)),
    ]);
    return accountId;
  }

  /** Runs a document of three fields. The first of them waits while `change` is made. */
  async function runDuring(
    app: TestPartner,
    change: () => Promise<unknown>,
    headers: Record<string, string> = {},
  ): Promise<GraphqlAnswer> {
    const customer = await makeCustomer(app);
    await owner.query('BEGIN');
    await owner.query('SELECT FROM customers WHERE customer_id = $1 FOR UPDATE', [customer]);
    const running = app.graphql(
      `mutation($key: String!, $id: ID!) {
        first: updateCustomer(id: $id, input: { metadata: { step: 1 } }, idempotencyKey: $key) { metadata }
        second: createCustomer(input: { externalId: "late" }, idempotencyKey: "${freshKey()}") {
          customer { externalId }
        }
        third: createCustomer(input: { externalId: "later" }, idempotencyKey: "${freshKey()}") {
          customer { externalId }
        }
      }`,
      { id: customer },
      headers,
    );
    while ((await service.sql(LOCK_WAITERS)).length === 0);
    await change();
    await owner.query('COMMIT');
    return running;
  }

  /** Waits until a new request is refused. */
  async function untilRefused(app: TestPartner): Promise<void> {
    while ((await app.rest('GET', '/v1/customers')).status === 200);
  }

  const late = async ({ appId }: TestPartner): Promise<number> =>
    (await service.sql(`SELECT FROM customers WHERE app_id = $1 AND external_id LIKE 'late%'`, [appId]))
      .length;

  const changes: [string, object, (app: TestPartner) => Promise<unknown>][] = [
    [
      'its token was revoked',
      INVALID,
      (app) =>
        fetch(`${service.url}/oauth/revoke`, {
          method: 'POST',
          headers: {
            authorization: `Basic ${Buffer.from(`${app.appId}:${app.clientSecret}`).toString('base64')}`,
          },
          body: new URLSearchParams({ token: tokenOf(app) }),
        }),
    ],
    [
      'its app was disabled',
      INVALID,
      ({ appId }) => service.admin.rest('PATCH', `/v1/apps/${appId}`, { status: 'disabled' }),
    ],
    [
      'the scopes of its app were narrowed',
      FORBIDDEN,
      ({ appId }) => service.admin.rest('PATCH', `/v1/apps/${appId}`, { allowed_scopes: ['apps:read'] }),
    ],
    [
      'its member was removed',
      INVALID,
      ({ appId }) => service.sql('DELETE FROM app_members WHERE app_id = $1', [appId]),
    ],
  ];
  for (const [title, refusal, change] of changes)
    it(`does nothing more after ${title}`, async () => {
      const app = await service.makeApp();
      if (title.includes('member')) await asMember(app);
      const answer = await runDuring(app, async () => {
        await change(app);
        await untilRefused(app);
      });
      expect(answer.status).to.equal(200);
      expect(answer.data).to.deep.equal({ first: { metadata: { step: 1 } }, second: null, third: null });
      expect(answer.errors.map(({ path }) => path)).to.deep.equal([['second'], ['third']]);
      const fresh = await app.graphql(
        'mutation($key: String!) { second: createCustomer(input: { externalId: "later" }, idempotencyKey: $key) { customer { id } } }',
      );
      for (const { message, extensions } of answer.errors) {
        expect(extensions).to.include(refusal);
        expect(message).to.equal(fresh.errors[0]?.message ?? fresh.body.error.message);
      }
      expect(await late(app)).to.equal(0);
    });

  it('does nothing more when it is answered by an event', async () => {
    const app = await service.makeApp();
    const change = async (): Promise<void> => {
      await service.admin.rest('PATCH', `/v1/apps/${app.appId}`, { status: 'disabled' });
      await untilRefused(app);
    };
    const { text } = await runDuring(app, change, { accept: 'text/event-stream' });
    expect(text).to.include('"first":{"metadata":{"step":1}},"second":null,"third":null');
    expect(await late(app)).to.equal(0);
  });

  it('runs on when its access is as it was', async () => {
    const app = await service.makeApp();
    const answer = await runDuring(app, () => Promise.resolve());
    expect(answer.errors).to.deep.equal([]);
    expect(await late(app)).to.equal(2);
  });
});
