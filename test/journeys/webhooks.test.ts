import { expect } from 'chai';
import pg from 'pg';
import { Webhook } from 'standardwebhooks';
import { startService } from '../../src/app.js';
import type { RunningService } from '../../src/app.js';
import { decideConnection } from '../../src/commands/decideConnection.js';
import { configFrom } from '../../src/config.js';
import type { Purpose } from '../../src/domain/purposes.js';
import type { Scope } from '../../src/domain/scopes.js';
import { EVENT_TYPES } from '../../src/domain/webhooks/eventCatalogue.js';
import { createAccount } from '../../src/accounts/createAccount.js';
import { TEST_SECRETS_KEY, createTestDatabase } from '../support/database.js';
import type { TestDatabase } from '../support/database.js';
import { fetchToken } from '../support/registerApp.js';
import { TestReceiver } from '../support/TestReceiver.js';
import type { Received } from '../support/TestReceiver.js';

const ADMIN_KEY = 'an-admin-key-for-this-test';

type Json = Record<string, never> & { [name: string]: Json };

interface Answer {
  status: number;
  headers: Headers;
  body: Json;
}

/** Webhook endpoints as a partner uses them, through REST and GraphQL, with the service's own worker. */
describe('The webhook interface', () => {
  let database: TestDatabase;
  let service: RunningService;
  let receiver: TestReceiver;
  let token = '';
  let keys = 0;

  before(async () => {
    database = await createTestDatabase();
    receiver = await TestReceiver.start();
    const env = {
      NODE_ENV: 'test',
      PORT: '0',
      DATABASE_URL: database.ownerUrl,
      ADMIN_KEYS: ADMIN_KEY,
      SECRETS_KEY: TEST_SECRETS_KEY,
    };
    service = await startService(configFrom(env));
    token = await newApp([
      'webhooks:read',
      'webhooks:write',
      'workflows:read',
      'customers:write',
      'connections:write',
      'consent:write',
      'events:write',
    ]);
  });
  beforeEach(() => (receiver.received.length = 0));
  after(async () => {
    await service.stop();
    await receiver.stop();
    await database.drop();
  });

  async function call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const mutating = method === 'GET' ? {} : { 'idempotency-key': `webhook-journey-${(keys += 1)}` };
    const response = await fetch(service.url + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...mutating,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: (text === '' ? {} : JSON.parse(text)) as Json,
    };
  }

  async function graphql(query: string, variables: object = {}): Promise<Json> {
    return (await call('POST', '/graphql', { query, variables })).body;
  }

  async function newApp(scopes: Scope[]): Promise<string> {
    const created = await call(
      'POST',
      '/v1/apps',
      { name: 'Webhooks', redirect_uris: ['https://partner.example/cb'], allowed_scopes: scopes },
      { 'x-service-admin-key': ADMIN_KEY, authorization: '' },
    );
    const app = created.body as unknown as { client_id: string; client_secret: string };
    return fetchToken(service.url, { appId: app.client_id, clientSecret: app.client_secret }, ...scopes);
  }

  async function until<T>(look: () => Promise<T | undefined> | T | undefined): Promise<T> {
    for (;;) {
      const found = await look();
      if (found !== undefined) return found;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async function asOwner(text: string, values: unknown[]): Promise<void> {
    const owner = new pg.Client({ connectionString: database.ownerUrl });
    await owner.connect();
    await owner.query(text, values);
    await owner.end();
  }

  /** What a person does on the connect page. */
  async function approve(session: Json, purposes: Purpose[]): Promise<void> {
    const { database: shared, secrets, clock } = service.services;
    const [sessionId, appId] = [String(session['id']), String(session['app_id'])];
    const credentials = { email: `${sessionId}@people.example`, password: 'gravel orchid teapot nine' };
    const { accountId } = await createAccount(shared, credentials, clock());
    await asOwner('UPDATE accounts SET email_verified = true WHERE account_id = $1', [accountId]);
    await shared.transaction(appId, (tx) =>
      decideConnection(tx, { appId, clock, secrets }, { sessionId, accountId, purposes }),
    );
  }

  const register = (enabled: string[] = ['*'], url = receiver.url()): Promise<Answer> =>
    call('POST', '/v1/webhook-endpoints', { url, enabled_events: enabled });

  it('registers an endpoint with a secret shown once, lists, reads, changes and deletes it', async () => {
    const created = await register(['consent.granted', 'consent.granted']);
    expect(created.status).to.equal(201);
    const endpoint = created.body['endpoint'] ?? ({} as Json);
    expect(created.headers.get('location')).to.equal(`/v1/webhook-endpoints/${String(endpoint['id'])}`);
    expect(created.body['signing_secret']).to.match(/^whsec_/);
    expect(endpoint).to.include({ url: receiver.url(), status: 'active' });
    expect(endpoint['enabled_events']).to.deep.equal(['consent.granted']);
    const path = `/v1/webhook-endpoints/${String(endpoint['id'])}`;

    const read = await call('GET', path);
    expect(read.body).to.deep.equal(endpoint);
    const list = await call('GET', '/v1/webhook-endpoints');
    expect(JSON.stringify(list.body)).not.to.include('whsec_');
    expect(list.body['data']).to.deep.include(endpoint);
    expect(list.body['pagination']).to.deep.equal({ has_more: false });

    const changed = await call('PATCH', path, { enabled_events: ['*'], status: 'disabled' });
    expect(changed.status).to.equal(200);
    expect(changed.body).to.deep.include({
      enabled_events: ['*'],
      status: 'disabled',
      disabled_reason: 'requested',
    });
    expect((await call('POST', `${path}/test`)).status).to.equal(409);
    expect((await call('PATCH', path, { status: 'active' })).body).not.to.have.property('disabled_reason');

    expect((await call('DELETE', path)).status).to.equal(204);
    expect((await call('GET', path)).status).to.equal(404);
    expect((await call('DELETE', path)).status).to.equal(404);
  });

  it('refuses unknown event types, inside addresses and misspelled fields, all at once', async () => {
    const refused = await register(['consent.granted', 'nope'], 'ftp://10.0.0.1/');
    expect(refused.status).to.equal(422);
    const details = (refused.body['error']?.['details'] ?? []) as unknown as {
      code: string;
      field: string;
    }[];
    expect(details.map(({ code, field }) => `${field} ${code}`)).to.have.members([
      'url https_required',
      'url forbidden_address',
      'enabled_events[1] unknown_event_type',
    ]);
    expect(
      (await call('POST', '/v1/webhook-endpoints', { url: receiver.url(), events: ['*'] })).status,
    ).to.equal(422);
    expect((await register([])).status).to.equal(422);
  });

  it('replays a registration with its secret', async () => {
    const key = { 'idempotency-key': 'webhook-journey-replayed' };
    const body = { url: receiver.url(), enabled_events: ['webhook.test'] };
    const first = await call('POST', '/v1/webhook-endpoints', body, key);
    const second = await call('POST', '/v1/webhook-endpoints', body, key);
    expect(second.headers.get('idempotent-replayed')).to.equal('true');
    expect(second.body).to.deep.equal(first.body);
  });

  it('delivers a test that verifies, lists it with its attempt, and delivers it again', async () => {
    const { body } = await register(['webhook.test']);
    const path = `/v1/webhook-endpoints/${String(body['endpoint']?.['id'])}`;
    const accepted = await call('POST', `${path}/test`);
    expect(accepted.status).to.equal(202);
    expect(accepted.headers.get('location')).to.equal(
      `/v1/workflows/${String(accepted.body['workflow_id'])}`,
    );
    const received = await until(() => receiver.received[0]);
    expect(received.id).to.equal(accepted.body['delivery_id']);
    expect(() =>
      new Webhook(String(body['signing_secret'])).verify(received.body, received.headers),
    ).not.to.throw();

    const workflow = await until(async () => {
      const answer = await call('GET', `/v1/workflows/${String(accepted.body['workflow_id'])}`);
      return String(answer.body['status']) === 'completed' ? answer.body : undefined;
    });
    expect(workflow).to.include({ type: 'webhook_delivery' });
    const list = await call('GET', `${path}/deliveries?status=delivered`);
    const [delivery] = list.body['data'] as unknown as Json[];
    expect(delivery).to.include({
      id: accepted.body['delivery_id'],
      event_type: 'webhook.test',
      status: 'delivered',
      sequence: 1,
    });
    const [attempt] = (delivery?.['attempts'] ?? []) as unknown as Json[];
    expect(attempt).to.include({ attempt: 1, status_code: 200, response_body: '{"ok":true}' });
    expect(attempt?.['started_at']).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

    const again = await call('POST', `${path}/deliveries/${received.id}/redeliver`);
    expect(again.status).to.equal(202);
    expect(again.body['workflow_id']).not.to.equal(accepted.body['workflow_id']);
    const second = await until(() => receiver.received[1]);
    expect(second.id).to.equal(received.id);
    expect(
      (await call('POST', `${path}/deliveries/whd_00000000000000000000000000/redeliver`)).status,
    ).to.equal(404);
    await call('PATCH', path, { status: 'disabled' });
    const redelivery = async (id: string): Promise<number> =>
      (await call('POST', `${path}/deliveries/${id}/redeliver`)).status;
    expect(await redelivery('whd_00000000000000000000000000'), 'there is none').to.equal(404);
    expect(await redelivery(received.id), 'its endpoint is disabled').to.equal(409);
  });

  it('reports the workflow of claims that were erased with their customer as failed', async () => {
    await register(['workflow.failed']);
    const customer = await call('POST', '/v1/customers', { external_id: 'erased-early' });
    const customer_id = String(customer.body['customer']?.['id']);
    await call('POST', '/v1/consent-receipts', { customer_id, purposes: ['analytics'] });
    const at = new Date().toISOString();
    const accepted = await call('POST', '/v1/claims', {
      customer_id,
      attribute: 'home.colour',
      value: 'blue',
      source: 'crm',
      observed_at: at,
      consent_purpose: 'analytics',
      confidence: 0.9,
      provenance: { source_partner: 'Quay', collected_at: at },
    });
    const workflowId = String(accepted.body['workflow_id']);
    await until(async () => {
      const { body } = await call('GET', `/v1/workflows/${workflowId}`);
      return String(body['status']) === 'completed' || undefined;
    });
    // As if the claim waited still.
    await asOwner(`UPDATE workflows SET status = 'accepted' WHERE workflow_id = $1`, [workflowId]);
    expect((await call('DELETE', `/v1/customers/${customer_id}`)).status).to.equal(204);
    const told = await until(() => receiver.received.find(({ body }) => body.includes(workflowId)));
    expect((JSON.parse(told.body) as Json)['data']).to.deep.equal({
      workflow_id: workflowId,
      workflow_type: 'profile_recompute',
      status: 'failed',
      error_code: 'customer_erased',
    });
  });

  it('reports consent given and withdrawn', async () => {
    await register(['consent.granted', 'consent.revoked', 'workflow.completed']);
    const customer = await call('POST', '/v1/customers', { external_id: 'w1' });
    const customerId = String(customer.body['customer']?.['id']);
    const receipt = await call('POST', '/v1/consent-receipts', {
      customer_id: customerId,
      purposes: ['analytics'],
    });
    await until(() => receiver.received.find(({ body }) => body.includes('consent.granted')));
    await call('POST', `/v1/consent-receipts/${String(receipt.body['id'])}/revoke`, {});
    const revoked = await until(() => receiver.received.find(({ body }) => body.includes('consent.revoked')));
    const message = JSON.parse(revoked.body) as Json;
    expect(message['data']).to.deep.include({
      customer_id: customerId,
      receipt_id: receipt.body['id'],
      purposes: ['analytics'],
    });
    const workflowId = String(message['data']?.['workflow_id']);
    const ended = await until(() =>
      receiver.received.find(({ body }) => body.includes('workflow.completed') && body.includes(workflowId)),
    );
    const { timestamp } = JSON.parse(ended.body) as { timestamp: string };
    const workflow = await call('GET', `/v1/workflows/${workflowId}`);
    expect(timestamp >= String(workflow.body['updated_at']), 'told when it had completed').to.equal(true);
  });

  it('delivers a session again without approvals that were withdrawn since', async () => {
    const { body } = await register(
      ['connection_session.authorized', 'connection_session.completed'],
      receiver.url('/sessions'),
    );
    const endpointId = String(body['endpoint']?.['id']);
    const customer = await call('POST', '/v1/customers', { external_id: 'session-again' });
    const customer_id = String(customer.body['customer']?.['id']);
    const started = await call('POST', '/v1/connection-sessions', {
      customer_id,
      requested_purposes: ['analytics', 'support'],
    });
    const session = started.body['session'] ?? ({} as Json);
    await approve(session, ['analytics', 'support']);
    const receipt = await call('POST', '/v1/consent-receipts', {
      customer_id,
      connection_session_id: session['id'],
      purposes: ['analytics', 'support'],
    });
    const arrived = (): Received[] => receiver.received.filter(({ path }) => path === '/sessions');
    const approvals = (told: string): unknown[] => {
      const { type, data } = JSON.parse(told) as Json;
      return [type, data?.['approved_purposes']];
    };
    const both = (...purposes: string[]): unknown[] => [
      ['connection_session.authorized', purposes],
      ['connection_session.completed', purposes],
    ];
    await until(() => (arrived().length === 2 ? true : undefined));
    expect(arrived().map((one) => approvals(one.body))).to.have.deep.members(both('analytics', 'support'));

    const revoked = await call('POST', `/v1/consent-receipts/${String(receipt.body['id'])}/revoke`, {
      purposes: ['analytics'],
    });
    expect(revoked.status).to.equal(202);
    const listed = await graphql(
      `query ($id: ID!) { webhookEndpoint(id: $id) { deliveries(first: 5) { nodes { body } } } }`,
      { id: endpointId },
    );
    const nodes = listed['data']?.['webhookEndpoint']?.['deliveries']?.['nodes'] as unknown as Json[];
    expect(nodes.map((one) => approvals(String(one['body'])))).to.have.deep.members(both('support'));
    for (const { id } of arrived()) {
      const path = `/v1/webhook-endpoints/${endpointId}/deliveries/${id}/redeliver`;
      await until(async () => ((await call('POST', path)).status === 202 ? true : undefined));
    }
    await until(() => (arrived().length === 4 ? true : undefined));
    const again = arrived().slice(2);
    expect(again.map((one) => approvals(one.body))).to.have.deep.members(both('support'));
  });

  it('rotates the secret and recovers failed deliveries', async () => {
    const { body } = await register(['webhook.test']);
    const path = `/v1/webhook-endpoints/${String(body['endpoint']?.['id'])}`;
    const rotated = await call('POST', `${path}/rotate-secret`);
    expect(rotated.status).to.equal(200);
    expect(rotated.body['signing_secret'])
      .to.match(/^whsec_/)
      .and.not.equal(body['signing_secret']);
    const recovered = await call('POST', `${path}/recover`, { since: '2026-01-01T00:00:00Z' });
    expect([recovered.status, recovered.body]).to.deep.equal([202, { recovered: 0, has_more: false }]);
    expect((await call('POST', `${path}/recover`, { since: 'yesterday' })).status).to.equal(422);
  });

  it('lists deliveries in pages', async () => {
    const { body } = await register(['webhook.test']);
    const path = `/v1/webhook-endpoints/${String(body['endpoint']?.['id'])}`;
    const ids: unknown[] = [];
    for (let n = 0; n < 5; n += 1) ids.unshift((await call('POST', `${path}/test`)).body['delivery_id']);
    const seen: unknown[] = [];
    let cursor = '';
    do {
      const page = await call('GET', `${path}/deliveries?limit=2${cursor}`);
      seen.push(...(page.body['data'] as unknown as Json[]).map(({ id }) => id));
      const next = page.body['pagination']?.['next_cursor'];
      cursor = next === undefined ? '' : `&cursor=${String(next)}`;
    } while (cursor !== '');
    expect(seen).to.deep.equal(ids);
    expect((await call('GET', `${path}/deliveries?cursor=abc`)).status).to.equal(400);
  });

  it('publishes its event types', async () => {
    const { status, body } = await call('GET', '/v1/webhook-event-types?limit=100');
    expect(status).to.equal(200);
    const types = (body['data'] as unknown as { type: string; schema: object }[]).map(({ type }) => type);
    expect(types).to.have.members(EVENT_TYPES);
  });

  it('isolates apps and requires scopes', async () => {
    const { body } = await register();
    const path = `/v1/webhook-endpoints/${String(body['endpoint']?.['id'])}`;
    const mine = token;
    token = await newApp(['webhooks:read']);
    try {
      expect((await call('GET', path)).status).to.equal(404);
      expect((await call('GET', `${path}/deliveries`)).status).to.equal(404);
      expect((await call('POST', `${path}/test`)).status).to.equal(403);
    } finally {
      token = mine;
    }
  });

  it('does the same through GraphQL', async () => {
    const made = await graphql(
      `mutation ($input: RegisterWebhookEndpointInput!) {
        registerWebhookEndpoint(idempotencyKey: "webhook-journey-graphql", input: $input) {
          endpoint { id status } signingSecret } }`,
      { input: { url: receiver.url(), enabledEvents: ['webhook.test'] } },
    );
    const payload = made['data']?.['registerWebhookEndpoint'];
    expect(payload?.['endpoint']).to.include({ status: 'ACTIVE' });
    const id = payload?.['endpoint']?.['id'];
    const tested = await graphql(
      `mutation ($id: ID!) { testWebhookEndpoint(id: $id, idempotencyKey: "webhook-journey-graphql-test") {
        deliveryId } }`,
      { id },
    );
    const received = await until(() => receiver.received[0]);
    expect(received.id).to.equal(tested['data']?.['testWebhookEndpoint']?.['deliveryId']);
    const read = await until(async () => {
      const answer = await graphql(
        `query ($id: ID!) { webhookEndpoint(id: $id) {
          deliveries(first: 5) { nodes { id status attempts { statusCode } } } } }`,
        { id },
      );
      const nodes = answer['data']?.['webhookEndpoint']?.['deliveries']?.['nodes'] as unknown as Json[];
      return String(nodes[0]?.['status']) === 'DELIVERED' ? nodes : undefined;
    });
    expect(read).to.deep.equal([{ id: received.id, status: 'DELIVERED', attempts: [{ statusCode: 200 }] }]);
  });
});
