import { expect } from 'chai';
import { grant, makeCustomer } from '../support/records.js';
import type { Json } from '../support/TestPartner.js';
import type { TestPartner } from '../support/TestPartner.js';
import { TestService } from '../support/TestService.js';

const BACK = 'https://partner.example/callback';

describe('A connection session through both doors', () => {
  let service: TestService;
  let app: TestPartner;
  let customerId: string;

  before(async () => {
    service = await TestService.start();
    app = await service.makeApp();
    customerId = await makeCustomer(app);
  });

  after(() => service.stop());

  const create = (fields: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
    app.rest(
      'POST',
      '/v1/connection-sessions',
      {
        customer_id: customerId,
        requested_purposes: ['analytics', 'support'],
        redirect_uri: BACK,
        ...fields,
      },
      headers,
    );

  it('is created with a lifetime in seconds and a link that later reads omit', async () => {
    const { status, headers, body } = await create({ expires_in: 60 });
    expect(status).to.equal(201);
    expect(headers.get('cache-control')).to.equal('no-store');
    expect(headers.get('location')).to.match(new RegExp(`/v1/connection-sessions/${body.session.id}$`));
    expect(Object.keys(body)).to.have.members(['session', 'client_token', 'connection_url']);
    expect(Date.parse(body.session.expires_at) - Date.parse(body.session.created_at)).to.equal(60_000);
    expect(body.session).not.to.have.any.keys('consent_receipt_id', 'service_user_id');
    const read = await app.rest('GET', `/v1/connection-sessions/${body.session.id}`);
    expect(read.body).to.deep.equal(body.session);
    expect(read.text).not.to.include(body.client_token);
  });

  it('replays the link to the same key, from an encrypted copy', async () => {
    const headers = { 'idempotency-key': 'one-link-for-one-key' };
    const first = await create({}, headers);
    const second = await create({}, headers);
    expect(second.headers.get('idempotent-replayed')).to.equal('true');
    expect(second.body).to.deep.equal(first.body);
    const rows = await service.sql(`SELECT result FROM idempotency_keys WHERE key = $1`, [
      headers['idempotency-key'],
    ]);
    expect(JSON.stringify(rows)).not.to.include(first.body.client_token);
  });

  it('names every problem of a body', async () => {
    const cases: [Record<string, unknown>, string[]][] = [
      [{ expires_in: 59, requested_purposes: [] }, ['requested_purposes', 'expires_in']],
      [{ expires_in: 3601 }, ['expires_in']],
      [{ expires_in: 60.5, redirect_url: BACK }, ['expires_in', 'redirect_url']],
      [{ customer_id: 'cus_none', redirect_uri: `${BACK}/x` }, ['customer_id', 'redirect_uri']],
    ];
    for (const [fields, problems] of cases) {
      const { status, body } = await create(fields);
      expect([status, body.error.code]).to.deep.equal([422, 'validation_failed']);
      expect(body.error.details.map(({ field }: Json) => field)).to.have.members(problems);
    }
  });

  it('refuses purposes and scopes that the app may not request', async () => {
    const narrow = await service.makeAppWith({ allowed_consent_purposes: ['support'] });
    const id = await makeCustomer(narrow);
    const { status, body } = await narrow.rest('POST', '/v1/connection-sessions', {
      customer_id: id,
      requested_purposes: ['support', 'analytics'],
    });
    expect(status).to.equal(422);
    expect(body.error.details).to.have.nested.property('[0].code', 'purpose_not_allowed');
    expect(body.error.details[0].field).to.equal('requested_purposes[1]');
  });

  it('cancels once, and returns an ended session unchanged', async () => {
    const { session } = (await create()).body;
    const path = `/v1/connection-sessions/${session.id}`;
    const canceled = await app.rest('DELETE', path);
    expect([canceled.status, canceled.body.status]).to.deep.equal([200, 'revoked']);
    expect((await app.rest('DELETE', path)).body).to.deep.equal(canceled.body);
  });

  it('refuses a receipt for a session that is not authorized, whatever the purposes', async () => {
    const { session } = (await create()).body;
    for (const purposes of [['analytics'], ['measurement']]) {
      const { status, body } = await app.rest('POST', '/v1/consent-receipts', {
        customer_id: customerId,
        connection_session_id: session.id,
        purposes,
      });
      expect([status, body.error.code]).to.deep.equal([409, 'conflict']);
    }
    await grant(app, customerId, 'measurement');
    expect((await app.rest('GET', `/v1/connection-sessions/${session.id}`)).body.status).to.equal('created');
  });

  it('is hidden from other apps and requires its scope', async () => {
    const { session } = (await create()).body;
    const path = `/v1/connection-sessions/${session.id}`;
    const other = await service.makeApp();
    expect((await other.rest('GET', path)).status).to.equal(404);
    expect((await other.rest('DELETE', path)).status).to.equal(404);
    const reader = await service.narrowed(app, 'connections:read');
    expect((await reader.rest('GET', path)).status).to.equal(200);
    expect((await reader.rest('DELETE', path)).status).to.equal(403);
  });

  it('is erased with its customer, its link and its account link', async () => {
    const id = await makeCustomer(app);
    const { session, connection_url: link } = (await create({ customer_id: id })).body;
    expect((await fetch(link)).status).to.equal(200);
    expect((await app.rest('DELETE', `/v1/customers/${id}`)).status).to.equal(204);
    expect((await app.rest('GET', `/v1/connection-sessions/${session.id}`)).status).to.equal(404);
    expect((await fetch(link)).status).to.equal(404);
    expect(
      await service.sql('SELECT 1 FROM connection_links WHERE session_id = $1', [session.id]),
    ).to.deep.equal([]);
  });

  it('is listed under its customer, newest first, in pages', async () => {
    const id = await makeCustomer(app);
    const made: string[] = [];
    for (let count = 0; count < 3; count += 1) made.push((await create({ customer_id: id })).body.session.id);
    const query = `query ($id: ID!, $after: String) { customer(id: $id) {
      connectionSessions(first: 2, after: $after) {
        nodes { id status requestedPurposes } pageInfo { hasNextPage endCursor } } } }`;
    const first = (await app.graphql(query, { id })).data.customer.connectionSessions;
    const second = (await app.graphql(query, { id, after: first.pageInfo.endCursor })).data.customer
      .connectionSessions;
    expect([...first.nodes, ...second.nodes].map((node) => node.id)).to.deep.equal(made.toReversed());
    expect(first.nodes[0]).to.include({ status: 'CREATED' });
    expect(second.pageInfo.hasNextPage).to.equal(false);
  });

  it('reads as expired everywhere after its expiry', async () => {
    const id = await makeCustomer(app);
    const { session } = (await create({ customer_id: id, expires_in: 60 })).body;
    const clock = service.services.clock;
    service.services.clock = () => new Date(Date.now() + 61_000);
    try {
      const query = `query ($id: ID!) { customer(id: $id) { connectionSessions { nodes { status } } } }`;
      expect((await app.graphql(query, { id })).data.customer.connectionSessions.nodes).to.deep.equal([
        { status: 'EXPIRED' },
      ]);
      const path = `/v1/connection-sessions/${session.id}`;
      expect((await app.rest('DELETE', path)).body.status, 'terminal: as it is').to.equal('expired');
    } finally {
      service.services.clock = clock;
    }
    expect((await app.rest('GET', `/v1/connection-sessions/${session.id}`)).body.status).to.equal('expired');
  });
});
