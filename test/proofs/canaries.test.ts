import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { createTestDatabase } from '../support/database.js';
import type { TestDatabase } from '../support/database.js';
import { ChildService } from '../support/ChildService.js';
import { recordProof } from '../support/recordProof.js';
import { Browser } from '../oauth/Browser.js';
import { freshKey, TestPartner } from '../support/TestPartner.js';
import type { Answer, Json } from '../support/TestPartner.js';
import pg from 'pg';

/** What must not be seen, and where it may be. */
interface Canary {
  name: string;
  value: string;
  /** Data of a person is kept in the database; a secret is not, in no form that can be read. */
  inDatabase: boolean;
}

/**
 * Proof: a value that is nobody else's business is found in no log, error, metric, request log, and a secret
 * in no dump.
 */
describe('Secrets and personal data sent through every flow', function () {
  this.timeout(240_000);
  let database: TestDatabase;
  let child: ChildService;
  const canaries: Canary[] = [];
  const failures: string[] = [];
  const adminKey = canary('administrative key', false);
  const secretsKey = canary('SECRETS_KEY', false);
  const requestId = `seen-${randomBytes(8).toString('hex')}`;

  /** A value that stands nowhere else. */
  function canary(
    name: string,
    inDatabase: boolean,
    value = `canary${randomBytes(16).toString('hex')}`,
  ): string {
    canaries.push({ name, value, inDatabase });
    return value;
  }

  before(async () => {
    database = await createTestDatabase();
    child = await ChildService.start(database.ownerUrl, {
      NODE_ENV: 'production',
      ADMIN_KEYS: adminKey,
      SECRETS_KEY: secretsKey,
      LOG_LEVEL: 'trace',
      REQUEST_LINES: '100',
      REQUEST_LOG_RATE: '1000',
    });
  });
  after(async () => {
    await child?.kill();
    await database.drop();
  });

  /** Whatever is refused must not repeat what it was sent. */
  function note(answer: Answer): Json {
    if (answer.status >= 400) failures.push(answer.text);
    return answer.body;
  }

  async function form(
    path: string,
    fields: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<Json> {
    const answer = await fetch(child.url + path, {
      method: 'POST',
      headers,
      body: new URLSearchParams(fields),
    });
    const text = await answer.text();
    if (answer.status >= 400) failures.push(text);
    return text.startsWith('{') ? JSON.parse(text) : {};
  }

  const basic = (id: string, secret: string): Record<string, string> => ({
    authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
  });

  async function makeApp(): Promise<TestPartner> {
    const admin = new TestPartner(child.url, { 'x-service-admin-key': adminKey });
    const wrong = new TestPartner(child.url, {
      'x-service-admin-key': canary('wrong administrative key', false),
    });
    const fields = { name: 'Harbour Books', redirect_uris: ['https://partner.example/cb'] };
    note(await wrong.rest('POST', '/v1/apps', fields));
    const scopes = [
      'customers:read',
      'customers:write',
      'consent:read',
      'consent:write',
      'events:write',
      'events:read',
    ];
    const more = [
      'profile:read',
      'claims:read',
      'connections:write',
      'webhooks:write',
      'webhooks:read',
      'apps:write',
    ];
    const made = note(
      await admin.rest('POST', '/v1/apps', { ...fields, allowed_scopes: [...scopes, ...more] }),
    );
    const secret = canary('client secret', false, made.client_secret);
    await form(
      '/oauth/token',
      { grant_type: 'client_credentials' },
      basic(made.app_id, canary('wrong secret', false)),
    );
    const { access_token: token } = await form(
      '/oauth/token',
      { grant_type: 'client_credentials' },
      basic(made.app_id, secret),
    );
    canary('access token', false, token);
    await form('/oauth/introspect', { token }, basic(made.app_id, secret));
    await form('/oauth/revoke', { token: canary('unknown token', false) }, basic(made.app_id, secret));
    const nobody = new TestPartner(child.url, { authorization: `Bearer ${canary('wrong token', false)}` });
    note(await nobody.rest('GET', '/v1/customers'));
    return new TestPartner(
      child.url,
      { authorization: `Bearer ${token}` },
      { appId: made.app_id, clientSecret: secret },
    );
  }

  async function people(): Promise<void> {
    const browser = new Browser(child.url);
    const email = `${canary('e-mail address', true)}@people.example`;
    const password = `${canary('password', false)} Aa1`;
    await (await browser.open('/sign-up')).submit('/sign-up', { email, password });
    const other = new Browser(child.url);
    const wrong = canary('wrong password', false);
    failures.push(
      (await (await other.open('/sign-in')).submit('/sign-in', { email, password: wrong })).text.replaceAll(
        email,
        '',
      ),
    );
    await (await other.open('/sign-in')).submit('/sign-in', { email, password });
    const session = other.cookie('account_session') ?? other.cookie('session');
    if (session !== undefined) canary('session cookie', false, session);
    await (await new Browser(child.url).open('/forgot-password')).submit('/forgot-password', { email });
  }

  async function records(app: TestPartner): Promise<void> {
    const headers = { 'x-request-id': requestId };
    const profile = { username: canary('username', true), bio_markdown: canary('biography', true) };
    const metadata = { note: canary('metadata', true) };
    const body = { external_id: canary('external id', true), profile, metadata };
    const id: string = note(await app.rest('POST', '/v1/customers', body, headers)).customer.id;
    note(
      await app.rest('POST', '/v1/customers', {
        ...body,
        profile: { username: 7, wrong: canary('refused value', false) },
      }),
    );
    note(await app.rest('POST', '/v1/customers', `{"external_id":"${canary('broken JSON', false)}`));
    note(
      await app.rest(
        'GET',
        `/v1/customers?external_id=${canary('query', false)}&limit=${canary('limit', false)}`,
      ),
    );
    note(
      await app.rest('PATCH', `/v1/customers/${id}`, {
        metadata: { card: `4111111111111111 ${canary('card', false)}` },
      }),
    );
    const receipt = {
      customer_id: id,
      purposes: ['personalization'],
      evidence: { ip_address: '203.0.113.254', user_agent: canary('evidence', true) },
    };
    const made = note(
      await app.rest('POST', '/v1/consent-receipts', {
        ...receipt,
        terms_version: '1',
        privacy_policy_version: '1',
      }),
    );
    expect(made.id).to.match(/^rcp_/);
    const time = '2026-01-02T03:04:05.000Z';
    const claim = {
      customer_id: id,
      attribute: 'shoe_size',
      value: canary('claim', true),
      source: 'till',
      observed_at: time,
      consent_purpose: 'personalization',
      confidence: 0.9,
      provenance: { source_partner: 'Harbour Books', collected_at: time },
    };
    note(await app.rest('POST', '/v1/claims', claim));
    note(
      await app.rest('POST', '/v1/claims/batch', {
        claims: [claim, { ...claim, confidence: canary('bad confidence', false) }],
      }),
    );
    note(
      await app.rest('POST', '/v1/events', {
        customer_id: id,
        event_type: 'purchased',
        object: canary('object', false),
        consent_purpose: 'personalization',
        occurred_at: time,
        properties: { p: canary('property', false) },
      }),
    );
    note(await app.rest('GET', `/v1/profiles/${id}`));
    const session = { customer_id: id, requested_purposes: ['support'] };
    const opened = note(await app.rest('POST', '/v1/connection-sessions', session));
    canary('connection token', false, opened.client_token);
    await new Browser(child.url).open(opened.connection_url);
    const hook = note(
      await app.rest('POST', '/v1/webhook-endpoints', {
        url: 'https://hooks.partner.example/in',
        enabled_events: ['*'],
      }),
    );
    expect(hook.signing_secret).to.match(/^whsec_/);
    canary('signing secret', false, hook.signing_secret);
    const rotated = note(await app.rest('POST', `/v1/apps/${app.appId}/rotate-secret`, {}));
    canary('rotated client secret', false, rotated.client_secret);
    note(
      await app.rest('POST', `/v1/consent-receipts/${made.id}/revoke`, {
        reason: canary('bad reason', false),
      }),
    );
    note(await app.rest('POST', `/v1/consent-receipts/${made.id}/revoke`, {}));
    const read =
      'query ($id: ID!) { customer(id: $id) { id } customers(externalId: "INLINE") { edges { node { id } } } }';
    note(
      await app.graphql(read.replace('INLINE', canary('inline value', false)), {
        id: canary('variable', false),
      }),
    );
    note(
      await app.graphql(
        'mutation ($key: String!, $i: CreateCustomerInput!) { createCustomer(input: $i, idempotencyKey: $key) { status } }',
        { i: { externalId: 7, nonsense: canary('GraphQL input', false) } },
      ),
    );
    note(
      await app.rest(
        'POST',
        '/v1/customers',
        { external_id: freshKey() },
        { 'idempotency-key': canary('idempotency key', true) },
      ),
    );
  }

  /** All that a dump of the database's data would hold. */
  async function dump(): Promise<string> {
    const owner = new pg.Client({ connectionString: database.ownerUrl });
    await owner.connect();
    const { rows } = await owner.query<{ name: string }>(
      `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`,
    );
    const texts: string[] = [];
    for (const { name } of rows) {
      const found = await owner.query<{ text: string }>(`SELECT t::text AS text FROM ${name} t`);
      texts.push(...found.rows.map(({ text }) => text));
    }
    await owner.end();
    return texts.join('\n');
  }

  const foundIn = (text: string, sought: readonly Canary[]): string[] =>
    sought.filter(({ value }) => text.includes(value)).map(({ name }) => name);

  it('appear in no log, error, metric or request log, and secrets in no dump', async () => {
    const app = await makeApp();
    await people();
    await records(app);
    const metrics = await (await fetch(`${child.url}/metrics`)).text();
    const dumped = await dump();
    const owner = new pg.Client({ connectionString: database.ownerUrl });
    await owner.connect();
    const requests = (await owner.query<{ text: string }>('SELECT t::text AS text FROM request_log t')).rows;
    await owner.end();
    const { output } = child.running;
    expect(canaries.length).to.be.greaterThan(30);
    expect(failures.length).to.be.greaterThan(10);
    expect(foundIn(output, canaries), 'in the log').to.deep.equal([]);
    expect(foundIn(failures.join('\n'), canaries), 'in errors').to.deep.equal([]);
    expect(foundIn(metrics, canaries), 'in metrics').to.deep.equal([]);
    expect(
      foundIn(requests.map(({ text }) => text).join('\n'), canaries),
      'in the request log',
    ).to.deep.equal([]);
    expect(
      foundIn(
        dumped,
        canaries.filter(({ inDatabase }) => !inDatabase),
      ),
      'in a dump',
    ).to.deep.equal([]);
    // The search finds what is there.
    const kept = foundIn(
      dumped,
      canaries.filter(({ inDatabase }) => inDatabase),
    );
    expect(kept).to.include.members(['external id', 'username', 'metadata']);
    expect(output, 'a request id in the log').to.include(requestId);
    recordProof({
      proof: 'canaries',
      injected:
        'secrets and personal data of their own through sign-up, tokens, records, webhooks, pages, GraphQL; right and wrong',
      times: canaries.length,
      checked: 'log at its finest, errors, metrics, request log; secrets in all rows of all tables too',
      figure: '0 found',
      broken: `what may be in the database is found by the same search: ${kept.join(', ')}`,
    });
  });
});
