import { expect } from 'chai';
import { newId } from '../../src/domain/ids.js';
import type { Answer, Json, TestPartner } from '../support/TestPartner.js';
import { TestService } from '../support/TestService.js';
import { eventBody, makeEntry, putBooks } from '../support/ingestRecords.js';
import { expectStatus, grant, makeCustomer } from '../support/records.js';

/** The error without what tells one request from another. */
function said({ body }: Answer): Json {
  const { request_id: _id, ...rest } = body.error;
  return rest;
}

function fieldsOf({ body }: Answer): string[] {
  return body.error.details.map(({ field }: Json) => field);
}

describe('Refusals over REST', () => {
  let service: TestService;
  let app: TestPartner;

  before(async () => {
    service = await TestService.start();
    await putBooks(service);
    app = await service.makeApp();
  });
  after(() => service.stop());

  it('name the allowed methods of read-only paths', async () => {
    for (const path of ['/healthz', '/readyz', '/metrics', '/v1/openapi.json']) {
      const answer = await service.nobody.rest('POST', path, {});
      expect([answer.status, answer.body.error.code], path).to.deep.equal([405, 'method_not_allowed']);
      expect(answer.headers.get('allow'), path).to.equal('GET, HEAD');
    }
  });

  it('are the same for an unknown route, an unknown id and the id of another app', async () => {
    const foreign = await makeCustomer(await service.makeApp());
    const answers = await Promise.all(
      [`/v1/customers/${foreign}`, `/v1/customers/${newId('cus')}`, `/v1/nonsense/${foreign}`].map((path) =>
        app.rest('GET', path),
      ),
    );
    expect(answers.map(({ status }) => status)).to.deep.equal([404, 404, 404]);
    expect(answers.map(said)).to.deep.equal(Array(3).fill(said(answers[0] as Answer)));
  });

  it('name every field whose text is no URI', async () => {
    const sent = async (uri: string): Promise<string[]> => {
      const profile = { avatar_url: uri, banner_url: uri };
      const provenance = { evidence_url: uri };
      const answers = await Promise.all([
        app.rest('POST', '/v1/customers', { external_id: 'uri', profile }),
        app.rest('POST', '/v1/claims', { provenance }),
        service.admin.rest('POST', '/v1/apps', { client_uri: uri, tos_uri: uri, redirect_uris: [uri] }),
      ]);
      return answers
        .flatMap(({ body }) => (body.error?.details ?? []) as { code: string; field: string }[])
        .filter(({ code }) => code === 'invalid_uri')
        .map(({ field }) => field);
    };
    const fields = ['profile.avatar_url', 'profile.banner_url', 'provenance.evidence_url'];
    fields.push('client_uri', 'tos_uri', 'redirect_uris[0]');
    for (const [before, after] of [
      [' ', ''],
      ['', ' '],
      ['', '\t'],
      ['', '\u0001'],
      ['', '\\'],
      ['', '\u00ad'],
      ['', 'ж'],
      ['', '%zz'],
      ['', '<b>'],
    ])
      expect(await sent(`${before}https://partner.example/a${after}b`), `${before}…${after}`).to.have.members(
        fields,
      );
    for (const uri of ['https:partner.example', 'https:/partner.example', 'https:///partner.example'])
      expect(await sent(uri), uri).to.include.members(fields.filter((name) => !name.includes('evidence')));
    expect(await sent("https://partner.example:8443/%C3%A9~!$&'()+,;=:@?a[0]=%20&b")).to.deep.equal([]);
  });

  it('report missing scopes of an app together with its other problems', async () => {
    expect(fieldsOf(await service.admin.rest('POST', '/v1/apps', {}))).to.have.members([
      'name',
      'redirect_uris',
      'allowed_scopes',
    ]);
  });

  it('name the URL that an empty webhook endpoint lacks, unless the app has one', async () => {
    const path = '/v1/webhook-endpoints';
    expect(fieldsOf(await app.rest('POST', path, {}))).to.have.members(['url', 'enabled_events']);
    expect(fieldsOf(await app.rest('POST', path, { enabled_events: ['*'] }))).to.deep.equal(['url']);
    const named = await service.makeAppWith({ webhook_default_url: 'https://quay.example/hooks' });
    expect((await named.rest('POST', path, { enabled_events: ['*'] })).body.endpoint.url).to.equal(
      'https://quay.example/hooks',
    );
  });

  it('name an unknown customer of a receipt together with purposes that the app may not use', async () => {
    const narrow = await service.makeAppWith({ allowed_consent_purposes: ['support'] });
    const body = { customer_id: newId('cus'), purposes: ['support', 'analytics'] };
    const session = { connection_session_id: newId('cs') };
    const problems = [
      ['customer_id', 'unknown_reference'],
      ['purposes[1]', 'purpose_not_allowed'],
    ];
    for (const [fields, more] of [
      [body, []],
      [{ ...body, ...session }, [['connection_session_id', 'unknown_reference']]],
    ]) {
      const answer = await narrow.rest('POST', '/v1/consent-receipts', fields as Json);
      expect(answer.status).to.equal(422);
      expect(answer.body.error.details.map(({ field, code }: Json) => [field, code])).to.have.deep.members([
        ...problems,
        ...(more as string[][]),
      ]);
    }
  });

  it('validate the changes of a webhook endpoint before it is looked up', async () => {
    const path = `/v1/webhook-endpoints/${newId('whe')}`;
    const wrong = await app.rest('PATCH', path, { url: 'nonsense', enabled_events: ['nonsense'] });
    expect([wrong.status, ...fieldsOf(wrong)]).to.deep.equal([422, 'url', 'enabled_events[0]']);
    expect((await app.rest('PATCH', path, { enabled_events: ['*'] })).status).to.equal(404);
  });

  it('list invalid and missing members of a webhook endpoint together', async () => {
    const wrong = { url: 'nonsense', enabled_events: ['nonsense', 'consent.granted', 5], extra: 1 };
    const fields = ['url', 'enabled_events[0]', 'enabled_events[2]', 'extra'];
    expect(fieldsOf(await app.rest('POST', '/v1/webhook-endpoints', wrong))).to.have.members(fields);
    const path = `/v1/webhook-endpoints/${newId('whe')}`;
    expect(fieldsOf(await app.rest('PATCH', path, { ...wrong, status: 'asleep' }))).to.have.members([
      ...fields,
      'status',
    ]);
    const uris = ['https://*/cb', 5, 'https://quay.example/cb'];
    expect(
      fieldsOf(await app.rest('PATCH', `/v1/apps/${app.appId}`, { redirect_uris: uris })),
    ).to.have.members(['redirect_uris[0]', 'redirect_uris[1]']);
  });

  it('say in details which state stands in the way of a 409', async () => {
    const refused = async (answer: Promise<Answer>): Promise<unknown> => {
      const { status, body } = await answer;
      const [{ code, field }] = body.error.details;
      return [status, body.error.code, code, field];
    };
    const why = (code: string, field?: string): unknown => [409, 'conflict', code, field];
    const own = await service.makeApp();
    const customer_id = await makeCustomer(own);
    const asked = { customer_id, requested_purposes: ['analytics'] };
    const { session } = (await own.rest('POST', '/v1/connection-sessions', asked)).body;
    const receipt = { customer_id, connection_session_id: session.id, purposes: ['analytics'] };
    expect(await refused(own.rest('POST', '/v1/consent-receipts', receipt))).to.deep.equal(
      why('session_not_authorized', 'connection_session_id'),
    );

    await grant(own, customer_id, 'analytics');
    const event = eventBody(customer_id, await makeEntry(own), {
      consent_purpose: 'analytics',
      event_key: 'order-1',
    });
    expectStatus(await own.rest('POST', '/v1/events', event), 202);
    expectStatus(await own.rest('POST', '/v1/events', { ...event, confidence: null }), 202);
    const other = { ...event, confidence: 0.5 };
    // The default that is spelled out too.
    for (const repeat of [other, { ...event, confidence: 1 }])
      expect(await refused(own.rest('POST', '/v1/events', repeat))).to.deep.equal(
        why('event_key_used', 'event_key'),
      );
    const [item] = expectStatus(await own.rest('POST', '/v1/events/batch', { events: [other] }), 202).data;
    expect([item.error.code, item.error.details[0].code]).to.deep.equal(['conflict', 'event_key_used']);

    const rotate = (id: string) => service.admin.rest('POST', `/v1/apps/${id}/rotate-secret`, {});
    const open = { name: 'Page', redirect_uris: ['https://page.example/cb'], client_type: 'public' };
    const page = await service.admin.rest('POST', '/v1/apps', { ...open, scopes: ['apps:read'] });
    expect(await refused(rotate(expectStatus(page, 201).app_id))).to.deep.equal(
      why('public_client', 'client_type'),
    );
    for (let turns = 0; turns < 10; turns += 1) expectStatus(await rotate(own.appId), 200);
    expect(await refused(rotate(own.appId))).to.deep.equal(why('too_many_secrets', 'expire_current'));

    const path = '/v1/webhook-endpoints';
    const receiver = { url: 'https://quay.example/hooks', enabled_events: ['*'] };
    const { endpoint } = expectStatus(await own.rest('POST', path, receiver), 201);
    expectStatus(await own.rest('PATCH', `${path}/${endpoint.id}`, { status: 'disabled' }), 200);
    expect(await refused(own.rest('POST', `${path}/${endpoint.id}/test`))).to.deep.equal(
      why('endpoint_disabled', 'status'),
    );
    await service.sql(
      `INSERT INTO webhook_endpoints (app_id, endpoint_id, url, enabled_events, status, secret, created_at, updated_at)
       SELECT app_id, endpoint_id || place, url, enabled_events, status, secret, created_at, updated_at
         FROM webhook_endpoints, generate_series(2, 500) place WHERE app_id = $1`,
      [own.appId],
    );
    expect(await refused(own.rest('POST', path, receiver))).to.deep.equal(why('too_many_endpoints'));

    expectStatus(await service.admin.rest('PATCH', `/v1/apps/${own.appId}`, { status: 'disabled' }), 200);
    await service.sql(
      "INSERT INTO app_erasures (erasure_id, app_id, status, created_at) VALUES ('era_1', $1, 'completed', now())",
      [own.appId],
    );
    const active = service.admin.rest('PATCH', `/v1/apps/${own.appId}`, { status: 'active' });
    expect(await refused(active)).to.deep.equal(why('app_being_deleted', 'status'));
  });

  it('never repeat a forbidden name', async () => {
    const answer = await app.rest('POST', '/v1/customers', {
      external_id: 'x',
      metadata: { '4111111111111111': 'x' },
    });
    expect([answer.status, ...fieldsOf(answer)]).to.deep.equal([422, 'metadata']);
    expect(answer.text).to.not.include('41111111');
  });

  it('carry RateLimit headers', async () => {
    const node = await service.addNode({ RATE_LIMITS: 'read=2' });
    const limited = (await service.makeApp()).at(node);
    const answers = [];
    for (let count = 0; count < 3; count += 1)
      answers.push(await limited.rest('GET', `/v1/customers/${newId('cus')}`));
    expect(answers.map(({ status }) => status)).to.deep.equal([404, 404, 429]);
    expect(answers.map(({ headers }) => headers.get('ratelimit')?.split(';t=')[0])).to.deep.equal([
      '"read";r=1',
      '"read";r=0',
      '"read";r=0',
    ]);
    for (const { headers } of answers) expect(headers.get('ratelimit-policy')).to.equal('"read";q=2;w=60');
    expect(Number(answers[2]?.headers.get('retry-after'))).to.be.within(1, 60);
  });
});
