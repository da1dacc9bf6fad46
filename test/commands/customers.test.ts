import { expect } from 'chai';
import type { Answer, Json, TestPartner } from '../support/TestPartner.js';
import { TestService } from '../support/TestService.js';
import { claimBody, expectStatus, grant, makeCustomer, sendClaims } from '../support/records.js';

describe('Customers', () => {
  let service: TestService;
  let app: TestPartner;

  before(async () => {
    service = await TestService.start();
    app = await service.makeApp();
  });
  after(() => service.stop());

  const upsert = (body: object): Promise<Answer> => app.rest('POST', '/v1/customers', body);

  it('are created once per external id, then updated or left unchanged', async () => {
    const first = await upsert({
      external_id: 'u1',
      profile: { username: 'ada' },
      metadata: { a: 1, b: { c: [2] } },
    });
    expect(expectStatus(first, 201).status).to.equal('created');
    expect(first.headers.get('location')).to.equal(`/v1/customers/${first.body.customer.id}`);
    const same = await upsert({ external_id: 'u1', metadata: { b: { c: [2] }, a: 1.0 } });
    expect(expectStatus(same, 200)).to.deep.equal({ status: 'unchanged', customer: first.body.customer });
    expect(same.headers.get('location')).to.equal(null);
    const updated = expectStatus(await upsert({ external_id: 'u1', metadata: { a: 2 } }), 200);
    expect([updated.status, updated.customer.metadata, updated.customer.profile]).to.deep.equal([
      'updated',
      { a: 2 },
      { username: 'ada' },
    ]);
    expect(updated.customer.id).to.equal(first.body.customer.id);
    expect(updated.customer.created_at).to.equal(first.body.customer.created_at);
    expect(updated.customer).to.include({ app_id: app.appId, external_id: 'u1', status: 'active' });
  });

  it('are created once by simultaneous requests', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => upsert({ external_id: 'crowd' })));
    expect(new Set(answers.map(({ body }) => body.customer.id)).size).to.equal(1);
    expect(answers.filter(({ status }) => status === 201)).to.have.length(1);
    expect(answers.every(({ status }) => status < 300)).to.equal(true);
  });

  it('are created and erased simultaneously without an internal error', async () => {
    for (let round = 0; round < 15; round += 1) {
      const id = await makeCustomer(app, { external_id: `flicker-${round}` });
      const answers = await Promise.all([
        app.rest('DELETE', `/v1/customers/${id}`),
        upsert({ external_id: `flicker-${round}`, metadata: { round } }),
        app.rest('PATCH', `/v1/customers/${id}`, { metadata: { round } }),
        upsert({ external_id: `flicker-${round}` }),
        app.rest('POST', '/v1/consent-receipts', { customer_id: id, purposes: ['support'] }),
        app.rest('DELETE', `/v1/customers/${id}`),
      ]);
      expect(answers.filter(({ status }) => status >= 500).map(({ text }) => text)).to.deep.equal([]);
    }
  });

  it('are changed by a merge patch under both its media types', async () => {
    const id = await makeCustomer(app, {
      profile: { username: 'a', public_location: { city: 'Kiel', country: 'DE' } },
      metadata: { keep: 1, drop: 2, deep: { x: 1, y: 2 } },
    });
    const patch = {
      profile: { username: null, public_location: { city: 'Lübeck' } },
      metadata: { drop: null, deep: { x: null, z: [null] } },
    };
    const answer = await app.rest('PATCH', `/v1/customers/${id}`, patch, {
      'content-type': 'application/merge-patch+json',
    });
    const { profile, metadata } = expectStatus(answer, 200);
    expect(profile).to.deep.equal({ public_location: { city: 'Lübeck', country: 'DE' } });
    expect(metadata).to.deep.equal({ keep: 1, deep: { y: 2, z: [null] } });
    const emptied = expectStatus(
      await app.rest('PATCH', `/v1/customers/${id}`, { profile: null, metadata: null }),
      200,
    );
    expect(emptied).to.not.have.any.keys('profile', 'metadata');
    const unchanged = expectStatus(await app.rest('PATCH', `/v1/customers/${id}`, {}), 200);
    expect(unchanged).to.deep.equal(emptied);
    expectStatus(await app.rest('PATCH', `/v1/customers/${id}`, { external_id: null }), 422);
    expectStatus(await upsert({ external_id: 'never-by-merge-patch', metadata: {} }), 201);
    expectStatus(
      await app.rest('POST', '/v1/customers', '{}', { 'content-type': 'application/merge-patch+json' }),
      415,
    );
  });

  it('cannot grow without bounds by many patches', async () => {
    const id = await makeCustomer(app);
    const statuses: number[] = [];
    for (let part = 0; part < 4; part += 1) {
      const answer = await app.rest('PATCH', `/v1/customers/${id}`, {
        metadata: { [`part${part}`]: 'x'.repeat(30_000) },
      });
      statuses.push(answer.status);
      if (answer.status === 422)
        expect(answer.body.error.details[0]).to.include({ code: 'too_long', field: 'metadata' });
    }
    expect(statuses).to.deep.equal([200, 200, 422, 422]);
  });

  it('refuse forbidden data at any place, and name every place without repeating the data', async () => {
    const answer = await upsert({
      external_id: 'f1',
      profile: {
        username: '4111 1111 1111 1111',
        bio_markdown: 'ssn 219-09-9999',
        avatar_url: 'https://u:p@x.example/',
        public_location: { city: '5500-0000-0000-0004' },
      },
      metadata: {
        a: [{ b: '378282246310005' }],
        password: 'hunter2',
        n: 4_242_424_242_424_242,
        unseen: '4111\u200b1111\u200d1111\u00ad1111',
        dashed: '4111\u20131111\u20131111\u20131111',
      },
    });
    const { error } = expectStatus(answer, 422);
    expect(error.details.map(({ code, field }: Json) => `${field} ${code}`)).to.have.members(
      [
        'profile.username',
        'profile.bio_markdown',
        'profile.avatar_url',
        'profile.public_location.city',
        'metadata.a[0].b',
        'metadata.password',
        'metadata.n',
        'metadata.unseen',
        'metadata.dashed',
      ].map((field) => `${field} forbidden_data`),
    );
    // Longer than a port or what a random id may hold.
    expect(answer.text).to.not.match(/4111.?1111|219-09|hunter2|37828224/);
    const id = await makeCustomer(app);
    expectStatus(await app.rest('PATCH', `/v1/customers/${id}`, { metadata: { x: { cvv: '123' } } }), 422);
    const { errors } = await app.graphql(
      'mutation($key: String!, $id: ID!, $m: JSONObject) { updateCustomer(idempotencyKey: $key, id: $id, input: { metadata: $m }) { id } }',
      { id, m: { iban: 'x' } },
    );
    expect(errors[0]?.extensions['details'][0]).to.include({
      code: 'forbidden_data',
      field: 'metadata.iban',
    });
  });

  it('allow the five documented fields of a profile and no other', async () => {
    const { error } = expectStatus(
      await upsert({
        external_id: 'p',
        profile: {
          email: 'a@b.example',
          public_location: { street: 'x' },
          avatar_url: 'javascript:alert(1)',
          banner_url: '/relative',
        },
      }),
      422,
    );
    expect(error.details.map(({ field, code }: Json) => `${field} ${code}`)).to.have.members([
      'profile.email unknown_field',
      'profile.public_location.street unknown_field',
      'profile.avatar_url invalid_uri',
      'profile.banner_url invalid_uri',
    ]);
  });

  it('accept any Unicode text as external id, unchanged', async () => {
    for (const external_id of [
      '日本語',
      'Zoë',
      '🦦'.repeat(255),
      'a/b?c=d&e#f',
      ' lead',
      "'; DROP TABLE customers; --",
      'e\u0301',
    ]) {
      const made = expectStatus(await upsert({ external_id }), 201);
      expect(made.customer.external_id).to.equal(external_id);
      const found = expectStatus(
        await app.rest('GET', `/v1/customers?external_id=${encodeURIComponent(external_id)}`),
        200,
      );
      expect(found.data.map(({ id }: Json) => id)).to.deep.equal([made.customer.id]);
    }
    for (const external_id of ['', 'x'.repeat(256), 'nul\u0000', '\ud83d'])
      expectStatus(await upsert({ external_id }), 422);
    expect(expectStatus(await app.rest('GET', '/v1/customers?external_id=nobody'), 200).data).to.deep.equal(
      [],
    );
  });

  // The tilde is none of base64's characters, in which sealed answers are kept.
  it('leave no row behind when erased, and their ids are unknown', async () => {
    const id = await makeCustomer(app, { external_id: 'erase-me-ZQX~', metadata: { note: 'ZQX~' } });
    const receipt = await grant(app, id, 'personalization');
    await sendClaims(app, claimBody(id, { value: 'ZQX~' }));
    expectStatus(
      await app.rest('POST', '/v1/connection-sessions', { customer_id: id, requested_purposes: ['support'] }),
      201,
    );
    expectStatus(await app.rest('DELETE', `/v1/customers/${id}`), 204);
    for (const path of [
      `/v1/customers/${id}`,
      `/v1/customers/${id}/effective-consent`,
      `/v1/profiles/${id}`,
      `/v1/profiles/${id}/claims`,
      `/v1/profiles/${id}/intents`,
      `/v1/consent-receipts/${receipt}`,
    ])
      expectStatus(await app.rest('GET', path), 404);
    expectStatus(await app.rest('POST', `/v1/consent-receipts/${receipt}/revoke`), 404);
    expectStatus(await app.rest('DELETE', `/v1/customers/${id}`), 404);
    expect(
      expectStatus(await app.rest('GET', `/v1/consent-receipts?customer_id=${id}`), 200).data,
    ).to.deep.equal([]);
    const tables = await service.sql(`SELECT tablename FROM pg_tables WHERE schemaname = 'public'`);
    for (const { tablename } of tables) {
      expect(
        await service.sql(`SELECT 1 FROM ${tablename} t WHERE t::text LIKE '%ZQX~%'`),
        tablename,
      ).to.deep.equal([]);
    }
    const again = expectStatus(await upsert({ external_id: 'erase-me-ZQX~' }), 201);
    expect(again.customer.id).to.not.equal(id);
    expectStatus(
      await app.rest('GET', `/v1/profiles/${again.customer.id}?consent_purpose=personalization`),
      403,
    );
  });
});
