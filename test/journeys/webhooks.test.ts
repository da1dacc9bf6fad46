import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { decideConnection } from '../../src/commands/decideConnection.js';
import type { Purpose } from '../../src/domain/purposes.js';
import { EVENT_TYPES } from '../../src/domain/webhooks/eventCatalogue.js';
import { createAccount } from '../../src/accounts/createAccount.js';
import type { Answer, Json, TestPartner } from '../support/TestPartner.js';
import { TestReceiver } from '../support/TestReceiver.js';
import type { Received } from '../support/TestReceiver.js';
import { TestService } from '../support/TestService.js';

/** Webhook endpoints as a partner uses them, through REST and GraphQL, with the service's own worker. */
describe('The webhook interface', () => {
  let service: TestService;
  let receiver: TestReceiver;
  let app: TestPartner;

  before(async () => {
    receiver = await TestReceiver.start();
    service = await TestService.start();
    app = await service.makeApp(
      'webhooks:read',
      'webhooks:write',
      'workflows:read',
      'customers:write',
      'connections:write',
      'consent:write',
      'events:write',
    );
  });
  beforeEach(() => (receiver.received.length = 0));
  after(async () => {
    await service.stop();
    await receiver.stop();
  });

  async function until<T>(look: () => Promise<T | undefined> | T | undefined): Promise<T> {
    for (;;) {
      const found = await look();
      if (found !== undefined) return found;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** What a person does on the connect page. */
  async function approve(session: Json, purposes: Purpose[]): Promise<void> {
    const { database: shared, secrets, clock } = service.services;
    const [sessionId, appId] = [session.id, session.app_id];
    const credentials = { email: `${sessionId}@people.example`, password: 'gravel orchid teapot nine' };
    const { accountId } = await createAccount(shared, credentials, clock());
    await service.sql('UPDATE accounts SET email_verified = true WHERE account_id = $1', [accountId]);
    await shared.transaction(appId, (tx) =>
      decideConnection(tx, { appId, clock, secrets }, { sessionId, accountId, purposes }),
    );
  }

  const register = (enabled: string[] = ['*'], url = receiver.url()): Promise<Answer> =>
    app.rest('POST', '/v1/webhook-endpoints', { url, enabled_events: enabled });

  it('registers an endpoint with a secret shown once, lists, reads, changes and deletes it', async () => {
    const created = await register(['consent.granted', 'consent.granted']);
    expect(created.status).to.equal(201);
    const endpoint = created.body.endpoint;
    expect(created.headers.get('location')).to.equal(`/v1/webhook-endpoints/${endpoint.id}`);
    expect(created.body.signing_secret).to.match(/^whsec_/);
    expect(endpoint).to.include({ url: receiver.url(), status: 'active' });
    expect(endpoint.enabled_events).to.deep.equal(['consent.granted']);
    const path = `/v1/webhook-endpoints/${endpoint.id}`;

    const read = await app.rest('GET', path);
    expect(read.body).to.deep.equal(endpoint);
    const list = await app.rest('GET', '/v1/webhook-endpoints');
    expect(JSON.stringify(list.body)).not.to.include('whsec_');
    expect(list.body.data).to.deep.include(endpoint);
    expect(list.body.pagination).to.deep.equal({ has_more: false });

    const changed = await app.rest('PATCH', path, { enabled_events: ['*'], status: 'disabled' });
    expect(changed.status).to.equal(200);
    expect(changed.body).to.deep.include({
      enabled_events: ['*'],
      status: 'disabled',
      disabled_reason: 'requested',
    });
    expect((await app.rest('POST', `${path}/test`)).status).to.equal(409);
    expect((await app.rest('PATCH', path, { status: 'active' })).body).not.to.have.property(
      'disabled_reason',
    );

    expect((await app.rest('DELETE', path)).status).to.equal(204);
    expect((await app.rest('GET', path)).status).to.equal(404);
    expect((await app.rest('DELETE', path)).status).to.equal(404);
  });

  it('refuses unknown event types, inside addresses and misspelled fields, all at once', async () => {
    const refused = await register(['consent.granted', 'nope'], 'ftp://10.0.0.1/');
    expect(refused.status).to.equal(422);
    const { details } = refused.body.error;
    expect(details.map(({ code, field }: Json) => `${field} ${code}`)).to.have.members([
      'url https_required',
      'url forbidden_address',
      'enabled_events[1] unknown_event_type',
    ]);
    expect(
      (await app.rest('POST', '/v1/webhook-endpoints', { url: receiver.url(), events: ['*'] })).status,
    ).to.equal(422);
    expect((await register([])).status).to.equal(422);
  });

  it('replays a registration with its secret', async () => {
    const key = { 'idempotency-key': 'webhook-journey-replayed' };
    const body = { url: receiver.url(), enabled_events: ['webhook.test'] };
    const first = await app.rest('POST', '/v1/webhook-endpoints', body, key);
    const second = await app.rest('POST', '/v1/webhook-endpoints', body, key);
    expect(second.headers.get('idempotent-replayed')).to.equal('true');
    expect(second.body).to.deep.equal(first.body);
  });

  it('delivers a test that verifies, lists it with its attempt, and delivers it again', async () => {
    const { body } = await register(['webhook.test']);
    const path = `/v1/webhook-endpoints/${body.endpoint.id}`;
    const accepted = await app.rest('POST', `${path}/test`);
    expect(accepted.status).to.equal(202);
    expect(accepted.headers.get('location')).to.equal(`/v1/workflows/${accepted.body.workflow_id}`);
    const received = await until(() => receiver.received[0]);
    expect(received.id).to.equal(accepted.body.delivery_id);
    expect(() => new Webhook(body.signing_secret).verify(received.body, received.headers)).not.to.throw();

    const workflow = await until(async () => {
      const answer = await app.rest('GET', `/v1/workflows/${accepted.body.workflow_id}`);
      return answer.body.status === 'completed' ? answer.body : undefined;
    });
    expect(workflow).to.include({ type: 'webhook_delivery' });
    const list = await app.rest('GET', `${path}/deliveries?status=delivered`);
    const [delivery] = list.body.data;
    expect(delivery).to.include({
      id: accepted.body.delivery_id,
      event_type: 'webhook.test',
      status: 'delivered',
      sequence: 1,
    });
    const [attempt] = delivery.attempts;
    expect(attempt).to.include({ attempt: 1, status_code: 200, response_body: '{"ok":true}' });
    expect(attempt.started_at).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

    const again = await app.rest('POST', `${path}/deliveries/${received.id}/redeliver`);
    expect(again.status).to.equal(202);
    expect(again.body.workflow_id).not.to.equal(accepted.body.workflow_id);
    const second = await until(() => receiver.received[1]);
    expect(second.id).to.equal(received.id);
    expect(
      (await app.rest('POST', `${path}/deliveries/whd_00000000000000000000000000/redeliver`)).status,
    ).to.equal(404);
    await app.rest('PATCH', path, { status: 'disabled' });
    const redelivery = async (id: string): Promise<number> =>
      (await app.rest('POST', `${path}/deliveries/${id}/redeliver`)).status;
    expect(await redelivery('whd_00000000000000000000000000'), 'there is none').to.equal(404);
    expect(await redelivery(received.id), 'its endpoint is disabled').to.equal(409);
  });

  it('reports the workflow of claims that were erased with their customer as failed', async () => {
    await register(['workflow.failed']);
    const customer = await app.rest('POST', '/v1/customers', { external_id: 'erased-early' });
    const customer_id = customer.body.customer.id;
    await app.rest('POST', '/v1/consent-receipts', { customer_id, purposes: ['analytics'] });
    const at = new Date().toISOString();
    const accepted = await app.rest('POST', '/v1/claims', {
      customer_id,
      attribute: 'home.colour',
      value: 'blue',
      source: 'crm',
      observed_at: at,
      consent_purpose: 'analytics',
      confidence: 0.9,
      provenance: { source_partner: 'Quay', collected_at: at },
    });
    const workflowId = accepted.body.workflow_id;
    await until(async () => {
      const { body } = await app.rest('GET', `/v1/workflows/${workflowId}`);
      return body.status === 'completed' || undefined;
    });
    // As if the claim waited still.
    await service.sql(`UPDATE workflows SET status = 'accepted' WHERE workflow_id = $1`, [workflowId]);
    expect((await app.rest('DELETE', `/v1/customers/${customer_id}`)).status).to.equal(204);
    const told = await until(() => receiver.received.find(({ body }) => body.includes(workflowId)));
    expect(JSON.parse(told.body).data).to.deep.equal({
      workflow_id: workflowId,
      workflow_type: 'profile_recompute',
      status: 'failed',
      error_code: 'customer_erased',
    });
  });

  it('reports consent given and withdrawn', async () => {
    await register(['consent.granted', 'consent.revoked', 'workflow.completed']);
    const customer = await app.rest('POST', '/v1/customers', { external_id: 'w1' });
    const customerId = customer.body.customer.id;
    const receipt = await app.rest('POST', '/v1/consent-receipts', {
      customer_id: customerId,
      purposes: ['analytics'],
    });
    await until(() => receiver.received.find(({ body }) => body.includes('consent.granted')));
    await app.rest('POST', `/v1/consent-receipts/${receipt.body.id}/revoke`, {});
    const revoked = await until(() => receiver.received.find(({ body }) => body.includes('consent.revoked')));
    const message = JSON.parse(revoked.body);
    expect(message.data).to.deep.include({
      customer_id: customerId,
      receipt_id: receipt.body.id,
      purposes: ['analytics'],
    });
    const workflowId = message.data.workflow_id;
    const ended = await until(() =>
      receiver.received.find(({ body }) => body.includes('workflow.completed') && body.includes(workflowId)),
    );
    const { timestamp } = JSON.parse(ended.body) as { timestamp: string };
    const workflow = await app.rest('GET', `/v1/workflows/${workflowId}`);
    expect(timestamp >= workflow.body.updated_at, 'told when it had completed').to.equal(true);
  });

  it('delivers a session again without approvals that were withdrawn since', async () => {
    const { body } = await register(
      ['connection_session.authorized', 'connection_session.completed'],
      receiver.url('/sessions'),
    );
    const endpointId = body.endpoint.id;
    const customer = await app.rest('POST', '/v1/customers', { external_id: 'session-again' });
    const customer_id = customer.body.customer.id;
    const started = await app.rest('POST', '/v1/connection-sessions', {
      customer_id,
      requested_purposes: ['analytics', 'support'],
    });
    const session = started.body.session;
    await approve(session, ['analytics', 'support']);
    const receipt = await app.rest('POST', '/v1/consent-receipts', {
      customer_id,
      connection_session_id: session.id,
      purposes: ['analytics', 'support'],
    });
    const arrived = (): Received[] => receiver.received.filter(({ path }) => path === '/sessions');
    const approvals = (told: string): unknown[] => {
      const { type, data } = JSON.parse(told);
      return [type, data.approved_purposes];
    };
    const both = (...purposes: string[]): unknown[] => [
      ['connection_session.authorized', purposes],
      ['connection_session.completed', purposes],
    ];
    await until(() => (arrived().length === 2 ? true : undefined));
    expect(arrived().map((one) => approvals(one.body))).to.have.deep.members(both('analytics', 'support'));

    const revoked = await app.rest('POST', `/v1/consent-receipts/${receipt.body.id}/revoke`, {
      purposes: ['analytics'],
    });
    expect(revoked.status).to.equal(202);
    const listed = await app.graphql(
      `query ($id: ID!) { webhookEndpoint(id: $id) { deliveries(first: 5) { nodes { body } } } }`,
      { id: endpointId },
    );
    const nodes = listed.data.webhookEndpoint.deliveries.nodes;
    expect(nodes.map((one: Json) => approvals(one.body))).to.have.deep.members(both('support'));
    for (const { id } of arrived()) {
      const path = `/v1/webhook-endpoints/${endpointId}/deliveries/${id}/redeliver`;
      await until(async () => ((await app.rest('POST', path)).status === 202 ? true : undefined));
    }
    await until(() => (arrived().length === 4 ? true : undefined));
    const again = arrived().slice(2);
    expect(again.map((one) => approvals(one.body))).to.have.deep.members(both('support'));
  });

  it('rotates the secret and recovers failed deliveries', async () => {
    const { body } = await register(['webhook.test']);
    const path = `/v1/webhook-endpoints/${body.endpoint.id}`;
    const rotated = await app.rest('POST', `${path}/rotate-secret`);
    expect(rotated.status).to.equal(200);
    expect(rotated.body.signing_secret)
      .to.match(/^whsec_/)
      .and.not.equal(body.signing_secret);
    const recovered = await app.rest('POST', `${path}/recover`, { since: '2026-01-01T00:00:00Z' });
    expect([recovered.status, recovered.body]).to.deep.equal([202, { recovered: 0, has_more: false }]);
    expect((await app.rest('POST', `${path}/recover`, { since: 'yesterday' })).status).to.equal(422);
  });

  it('lists deliveries in pages', async () => {
    const { body } = await register(['webhook.test']);
    const path = `/v1/webhook-endpoints/${body.endpoint.id}`;
    const ids: unknown[] = [];
    for (let n = 0; n < 5; n += 1) ids.unshift((await app.rest('POST', `${path}/test`)).body.delivery_id);
    const seen: unknown[] = [];
    let cursor = '';
    do {
      const page = await app.rest('GET', `${path}/deliveries?limit=2${cursor}`);
      seen.push(...page.body.data.map(({ id }: Json) => id));
      const next = page.body.pagination.next_cursor;
      cursor = next === undefined ? '' : `&cursor=${next}`;
    } while (cursor !== '');
    expect(seen).to.deep.equal(ids);
    expect((await app.rest('GET', `${path}/deliveries?cursor=abc`)).status).to.equal(400);
  });

  it('publishes its event types', async () => {
    const { status, body } = await app.rest('GET', '/v1/webhook-event-types?limit=100');
    expect(status).to.equal(200);
    const types = body.data.map(({ type }: Json) => type);
    expect(types).to.have.members(EVENT_TYPES);
  });

  it('isolates apps and requires scopes', async () => {
    const { body } = await register();
    const path = `/v1/webhook-endpoints/${body.endpoint.id}`;
    const other = await service.makeApp('webhooks:read');
    expect((await other.rest('GET', path)).status).to.equal(404);
    expect((await other.rest('GET', `${path}/deliveries`)).status).to.equal(404);
    expect((await other.rest('POST', `${path}/test`)).status).to.equal(403);
  });

  it('does the same through GraphQL', async () => {
    const made = await app.graphql(
      `mutation ($input: RegisterWebhookEndpointInput!) {
        registerWebhookEndpoint(idempotencyKey: "webhook-journey-graphql", input: $input) {
          endpoint { id status } signingSecret } }`,
      { input: { url: receiver.url(), enabledEvents: ['webhook.test'] } },
    );
    const payload = made.data.registerWebhookEndpoint;
    expect(payload.endpoint).to.include({ status: 'ACTIVE' });
    const id = payload.endpoint.id;
    const tested = await app.graphql(
      `mutation ($id: ID!) { testWebhookEndpoint(id: $id, idempotencyKey: "webhook-journey-graphql-test") {
        deliveryId } }`,
      { id },
    );
    const received = await until(() => receiver.received[0]);
    expect(received.id).to.equal(tested.data.testWebhookEndpoint.deliveryId);
    const read = await until(async () => {
      const answer = await app.graphql(
        `query ($id: ID!) { webhookEndpoint(id: $id) {
          deliveries(first: 5) { nodes { id status attempts { statusCode } } } } }`,
        { id },
      );
      const nodes = answer.data.webhookEndpoint.deliveries.nodes;
      return nodes[0]?.status === 'DELIVERED' ? nodes : undefined;
    });
    expect(read).to.deep.equal([{ id: received.id, status: 'DELIVERED', attempts: [{ statusCode: 200 }] }]);
  });
});
