import { expect } from 'chai';
import pg from 'pg';
import { fingerprint } from '../../src/domain/secretToken.js';
import { sweepIdempotencyKeys } from '../../src/jobs/sweepIdempotencyKeys.js';
import type { Answer } from '../support/TestPartner.js';
import { freshKey, TestPartner } from '../support/TestPartner.js';
import { TEST_ADMIN_KEY } from '../support/registerApp.js';
import { TestService } from '../support/TestService.js';
import { claimBody, expectStatus, grant, makeCustomer } from '../support/records.js';

const DAY_MS = 24 * 60 * 60 * 1000;

const GRANT = `mutation($key: String!, $customer: ID!, $purposes: [ConsentPurpose!]!) {
  createConsentReceipt(idempotencyKey: $key, input: { customerId: $customer, purposes: $purposes }) {
    id grantedAt } }`;

const SECOND_ADMIN_KEY = 'second-admin-key-0123456789';

describe('idempotency keys', () => {
  let service: TestService;
  let app: TestPartner;

  before(async () => {
    service = await TestService.start({ ADMIN_KEYS: `${TEST_ADMIN_KEY},${SECOND_ADMIN_KEY}` });
    app = await service.makeApp();
  });
  after(() => service.stop());

  const withKey = (key: string, method: string, path: string, body?: unknown, by = app): Promise<Answer> =>
    by.rest(method, path, body, { 'idempotency-key': key });

  const receiptsOf = async (customer: string): Promise<number> => {
    const rows = await service.sql('SELECT count(*)::int AS n FROM consent_receipts WHERE customer_id = $1', [
      customer,
    ]);
    return rows[0].n as number;
  };

  it('give 50 concurrent requests one effect and the same answer', async () => {
    const customer = await makeCustomer(app);
    const key = freshKey();
    const body = { customer_id: customer, purposes: ['support'] };
    const url = await service.addNode();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        withKey(key, 'POST', '/v1/consent-receipts', body, index % 2 ? app.at(url) : app),
      ),
    );
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).to.equal(1);
    expect(answers[0]?.status).to.equal(201);
    expect(new Set(answers.map(({ headers }) => headers.get('location'))).size).to.equal(1);
    expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true')).to.have.length(49);
    expect(await receiptsOf(customer)).to.equal(1);
  });

  it('give 50 concurrent claims one place in the series', async () => {
    const customer = await makeCustomer(app);
    await grant(app, customer, 'personalization');
    const key = freshKey();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => withKey(key, 'POST', '/v1/claims', claimBody(customer))),
    );
    expect(new Set(answers.map(({ text }) => text)).size).to.equal(1);
    expect(expectStatus(await app.rest('POST', '/v1/claims', claimBody(customer)), 202).sequence).to.equal(2);
  });

  it('are refused with another payload, at any depth, and with another operation', async () => {
    const customer = await makeCustomer(app);
    const key = freshKey();
    const body = { external_id: 'one', metadata: { a: { b: [1, 2] } } };
    expectStatus(await withKey(key, 'POST', '/v1/customers', body), 201);
    const others: [string, string, unknown][] = [
      ['POST', '/v1/customers', { ...body, metadata: { a: { b: [2, 1] } } }],
      ['POST', '/v1/customers', { external_id: 'one' }],
      ['PATCH', `/v1/customers/${customer}`, body],
      ['DELETE', `/v1/customers/${customer}`, undefined],
      // Not even valid: another payload all the same, and the replay is looked up before the shape
      // (docs/contract.md#errors).
      ['POST', '/v1/customers', { ...body, nonsense: 1 }],
    ];
    for (const [method, path, sent] of others) {
      const answer = await withKey(key, method, path, sent);
      expect(expectStatus(answer, 409).error.code, `${method} ${path}`).to.equal('idempotency_conflict');
    }
    const same = await withKey(
      key,
      'POST',
      '/v1/customers',
      '{ "metadata": {"a":{"b":[1.0,2]}}, "external_id":"\\u006fne" }',
    );
    expect(same.headers.get('idempotent-replayed'), 'the same payload in other words').to.equal('true');
  });

  it('distinguish paths', async () => {
    const [one, two] = [await makeCustomer(app), await makeCustomer(app)];
    const key = freshKey();
    expectStatus(await withKey(key, 'DELETE', `/v1/customers/${one}`), 204);
    expect(expectStatus(await withKey(key, 'DELETE', `/v1/customers/${two}`), 409).error.code).to.equal(
      'idempotency_conflict',
    );
    expectStatus(await app.rest('GET', `/v1/customers/${two}`), 200);
  });

  it('mean the same through both doors', async () => {
    const customer = await makeCustomer(app);
    const key = freshKey();
    const rest = expectStatus(
      await withKey(key, 'POST', '/v1/consent-receipts', { customer_id: customer, purposes: ['support'] }),
      201,
    );
    const replay = await app.graphql(GRANT, { key, customer, purposes: ['SUPPORT'] });
    expect(replay.headers.get('idempotent-replayed')).to.equal('true');
    expect(replay.data.createConsentReceipt).to.deep.equal({ id: rest.id, grantedAt: rest.granted_at });
    const conflict = await app.graphql(GRANT, { key, customer, purposes: ['ANALYTICS'] });
    expect(conflict.errors[0]?.extensions).to.include({ code: 'IDEMPOTENCY_CONFLICT', status: 409 });
    const second = freshKey();
    const first = await app.graphql(GRANT, { key: `"${second}"`, customer, purposes: ['ANALYTICS'] });
    const back = await withKey(second, 'POST', '/v1/consent-receipts', {
      purposes: ['analytics'],
      customer_id: customer,
    });
    expect([back.body.id, back.headers.get('idempotent-replayed')]).to.deep.equal([
      first.data.createConsentReceipt.id,
      'true',
    ]);
    expect(await receiptsOf(customer)).to.equal(2);
  });

  it('mean the same through both doors for claims and for revocations without a body', async () => {
    const customer = await makeCustomer(app);
    const receipt = await grant(app, customer, 'personalization');
    const claimKey = freshKey();
    const claim = claimBody(customer, {
      observed_at: '2026-01-01T00:00:00+01:00',
      value: { a: 1.5, b: ['x'] },
    });
    const sent = expectStatus(await withKey(claimKey, 'POST', '/v1/claims', claim), 202);
    const input = {
      customerId: customer,
      attribute: claim['attribute'],
      value: claim['value'],
      source: claim['source'],
      observedAt: '2025-12-31T23:00:00.000Z',
      consentPurpose: 'PERSONALIZATION',
      confidence: 0.9,
      provenance: { sourcePartner: 'Harbour Books', collectedAt: '2026-01-02T03:04:05.000Z' },
    };
    const again = await app.graphql(
      'mutation($key: String!, $input: IngestClaimInput!) { ingestClaim(idempotencyKey: $key, input: $input) { claimId } }',
      { key: claimKey, input },
    );
    expect(again.data.ingestClaim?.claimId, again.text).to.equal(sent.claim_id);

    const key = freshKey();
    const rest = expectStatus(await withKey(key, 'POST', `/v1/consent-receipts/${receipt}/revoke`), 202);
    for (const input of ['', ', input: {}']) {
      const { data, text } = await app.graphql(
        `mutation($key: String!, $id: ID!) {
          revokeConsentReceipt(idempotencyKey: $key, id: $id${input}) { workflowId } }`,
        { key, id: receipt },
      );
      expect(data.revokeConsentReceipt?.workflowId, text).to.equal(rest.workflow_id);
    }
  });

  it('are free again after any refusal', async () => {
    const customer = await makeCustomer(app);
    const key = freshKey();
    const attempts: [number, string, string, unknown][] = [
      [422, 'POST', '/v1/customers', {}],
      [422, 'POST', '/v1/customers', { external_id: 'x', metadata: { card: '4111 1111 1111 1111' } }],
      [404, 'PATCH', '/v1/customers/cus_nobody', { metadata: {} }],
      [404, 'DELETE', '/v1/customers/cus_nobody', undefined],
      [422, 'POST', '/v1/consent-receipts', { customer_id: 'cus_nobody', purposes: ['support'] }],
      [403, 'POST', '/v1/claims', claimBody(customer)],
      [400, 'POST', '/v1/customers', '{'],
      [415, 'POST', '/v1/customers', undefined],
    ];
    for (const [status, method, path, body] of attempts) {
      const headers = { 'idempotency-key': key, ...(status === 415 ? { 'content-type': 'text/plain' } : {}) };
      expectStatus(await app.rest(method, path, body, headers), status);
    }
    expect(await service.sql('SELECT FROM idempotency_keys WHERE key = $1', [key])).to.deep.equal([]);
    const done = await withKey(key, 'POST', '/v1/customers', { external_id: 'at-last' });
    expect([done.status, done.headers.get('idempotent-replayed')]).to.deep.equal([201, null]);
  });

  it('are free again after a failure of ours, which leaves nothing half-done', async () => {
    const customer = await makeCustomer(app);
    const key = freshKey();
    // The last statement of the command fails.
    await service.sql(
      `CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'broken disk of customer'; END $$`,
    );
    await service.sql(
      'CREATE TRIGGER fail BEFORE INSERT ON consent_ledger FOR EACH ROW EXECUTE FUNCTION fail()',
    );
    const body = { customer_id: customer, purposes: ['support'] };
    const failed = await withKey(key, 'POST', '/v1/consent-receipts', body);
    await service.sql('DROP TRIGGER fail ON consent_ledger');
    expect(expectStatus(failed, 500).error).to.include({ code: 'internal_error' });
    expect(failed.text).to.not.match(/disk|plpgsql|raise/i);
    expect(await receiptsOf(customer)).to.equal(0);
    expect(
      expectStatus(await app.rest('GET', `/v1/customers/${customer}/effective-consent`), 200).purposes,
    ).to.deep.equal([]);
    expectStatus(await withKey(key, 'POST', '/v1/consent-receipts', body), 201);
  });

  it('belong to one app, or to one administrative key', async () => {
    const other = await service.makeApp();
    const key = freshKey();
    const mine = await withKey(key, 'POST', '/v1/customers', { external_id: 'same' });
    const theirs = await withKey(key, 'POST', '/v1/customers', { external_id: 'same' }, other);
    expect(theirs.headers.get('idempotent-replayed')).to.equal(null);
    expect(expectStatus(theirs, 201).customer.id).to.not.equal(expectStatus(mine, 201).customer.id);
    const patch = { name: 'Renamed' };
    expectStatus(await withKey(key, 'PATCH', `/v1/apps/${app.appId}`, patch, service.admin), 200);
    const otherKey = new TestPartner(service.url, { 'x-service-admin-key': SECOND_ADMIN_KEY });
    const again = await withKey(key, 'PATCH', `/v1/apps/${app.appId}`, patch, otherKey);
    expect(again.headers.get('idempotent-replayed'), 'of another administrative key').to.equal(null);
    expectStatus(await withKey(key, 'PATCH', `/v1/apps/${app.appId}`, { name: 'Again' }, otherKey), 409);
    const token = await service.narrowed(app, 'customers:write');
    expect(
      (await withKey(key, 'POST', '/v1/customers', { external_id: 'same' }, token)).headers.get(
        'idempotent-replayed',
      ),
      'another token of the app',
    ).to.equal('true');
  });

  it('replay a secret that was shown once, which is stored sealed', async () => {
    const key = freshKey();
    const body = { name: 'Sealed', redirect_uris: ['https://s.example/cb'], allowed_scopes: ['apps:read'] };
    const first = await withKey(key, 'POST', '/v1/apps', body, service.admin);
    const second = await withKey(key, 'POST', '/v1/apps', body, service.admin);
    expect(second.text).to.equal(first.text);
    const endpointKey = freshKey();
    const endpoint = { url: 'https://hooks.partner.example/in', enabled_events: ['*'] };
    const registered = await withKey(endpointKey, 'POST', '/v1/webhook-endpoints', endpoint);
    expect((await withKey(endpointKey, 'POST', '/v1/webhook-endpoints', endpoint)).text).to.equal(
      registered.text,
    );
    const customer = await makeCustomer(app);
    const sessionKey = freshKey();
    const session = await withKey(sessionKey, 'POST', '/v1/connection-sessions', {
      customer_id: customer,
      requested_purposes: ['support'],
    });
    const secrets = [
      first.body.client_secret,
      registered.body.signing_secret,
      session.body.client_token,
    ] as string[];
    const rows = await service.sql('SELECT * FROM idempotency_keys WHERE key = ANY ($1)', [
      [`${fingerprint(TEST_ADMIN_KEY)}/${key}`, endpointKey, sessionKey],
    ]);
    expect(rows.map(({ sealed }) => sealed as boolean)).to.deep.equal([true, true, true]);
    // Nor does any other table hold one as it was shown.
    const tables = await service.sql(`SELECT tablename FROM pg_tables WHERE schemaname = 'public'`);
    for (const { tablename } of tables) {
      const [{ dump }] = await service.sql(
        `SELECT coalesce(string_agg(t::text, ''), '') AS dump FROM ${tablename} t`,
      );
      for (const secret of secrets) {
        expect(secret).to.have.length.above(30);
        expect((dump as string).includes(secret), `${tablename} holds a secret`).to.equal(false);
      }
    }
  });

  it('replay for 24 hours; then the key is new, and what it kept is erased', async () => {
    const customer = await makeCustomer(app);
    const key = freshKey();
    const body = { customer_id: customer, purposes: ['support'] };
    const age = (ms: number): Promise<unknown> =>
      service.sql(
        'UPDATE idempotency_keys SET created_at = now() - make_interval(secs => $2) WHERE key = $1',
        [key, ms / 1000],
      );
    const first = await withKey(key, 'POST', '/v1/consent-receipts', body);
    await age(DAY_MS - 600_000);
    expect((await withKey(key, 'POST', '/v1/consent-receipts', body)).text).to.equal(first.text);
    await sweepIdempotencyKeys(service.services);
    expect((await withKey(key, 'POST', '/v1/consent-receipts', body)).text).to.equal(first.text);
    await age(DAY_MS + 1000);
    const later = await withKey(key, 'POST', '/v1/consent-receipts', body);
    expect(later.headers.get('idempotent-replayed')).to.equal(null);
    expect(later.body.id).to.not.equal(first.body.id);
    await age(DAY_MS + 1000);
    await sweepIdempotencyKeys(service.services);
    expect(await service.sql('SELECT FROM idempotency_keys WHERE key = $1', [key])).to.deep.equal([]);
  });

  it('stay where the clock of a process is days ahead', async () => {
    const [key, body] = [freshKey(), { external_id: freshKey() }];
    const first = await withKey(key, 'POST', '/v1/customers', body);
    service.services.clock = () => new Date(Date.now() + 2 * DAY_MS);
    try {
      await sweepIdempotencyKeys(service.services);
      expect((await withKey(key, 'POST', '/v1/customers', { external_id: 'another' })).status).to.equal(409);
      expect((await withKey(key, 'POST', '/v1/customers', body)).text).to.equal(first.text);
    } finally {
      service.services.clock = () => new Date();
    }
  });

  it('answer 409 with Retry-After while the first request runs, and are free if it fails', async () => {
    const key = freshKey();
    const running = new pg.Client({ connectionString: service.database.ownerUrl });
    await running.connect();
    await running.query('BEGIN');
    await running.query(
      `INSERT INTO idempotency_keys (app_id, key, payload_hash, created_at) VALUES ($1, $2, '', now())`,
      [app.appId, key],
    );
    const answer = await withKey(key, 'POST', '/v1/customers', { external_id: 'waiting' });
    expect(expectStatus(answer, 409).error.code).to.equal('idempotency_in_progress');
    expect(Number(answer.headers.get('retry-after'))).to.be.above(0);
    const waiting = withKey(key, 'POST', '/v1/customers', { external_id: 'waiting' });
    await new Promise((wake) => setTimeout(wake, 50));
    await running.query('ROLLBACK');
    await running.end();
    expectStatus(await waiting, 201);
  });

  it('are erased with the customer whose data their answers hold', async () => {
    const key = freshKey();
    const made = expectStatus(
      await withKey(key, 'POST', '/v1/customers', {
        external_id: 'gone',
        metadata: { note: 'remembers-everything' },
      }),
      201,
    );
    const id = made.customer.id as string;
    expectStatus(
      await app.rest('PATCH', `/v1/customers/${id}`, { metadata: { more: 'remembers-everything' } }),
      200,
    );
    expectStatus(
      await app.rest('POST', '/v1/consent-receipts', {
        customer_id: id,
        purposes: ['support'],
        evidence: { user_agent: 'remembers-everything' },
      }),
      201,
    );
    const wanted = { customer_id: id, requested_purposes: ['support'] };
    const { session } = expectStatus(await app.rest('POST', '/v1/connection-sessions', wanted), 201);
    const canceling = freshKey();
    const cancel = (): Promise<Answer> =>
      withKey(canceling, 'DELETE', `/v1/connection-sessions/${session.id}`);
    expectStatus(await cancel(), 200);
    expectStatus(await app.rest('DELETE', `/v1/customers/${id}`), 204);
    expectStatus(await cancel(), 404);
    const tables = await service.sql(`SELECT tablename FROM pg_tables WHERE schemaname = 'public'`);
    for (const { tablename } of tables) {
      const rows = await service.sql(
        `SELECT 1 FROM ${tablename} t WHERE t::text LIKE '%remembers-everything%'`,
      );
      expect(rows, tablename).to.deep.equal([]);
    }
  });
});
