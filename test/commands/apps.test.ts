import { expect } from 'chai';
import type { Answer, Json } from '../support/TestPartner.js';
import { TestPartner } from '../support/TestPartner.js';
import { TEST_ADMIN_KEY } from '../support/registerApp.js';
import { TestService } from '../support/TestService.js';
import { expectStatus, makeCustomer } from '../support/records.js';

const BODY = { name: 'Quay', redirect_uris: ['https://quay.example/cb'] };

describe('Apps', () => {
  let service: TestService;

  before(async () => {
    service = await TestService.start({ ADMIN_KEYS: `${TEST_ADMIN_KEY},the-next-admin-key-0001` });
  });
  after(() => service.stop());

  const create = (fields: object): Promise<Answer> =>
    service.admin.rest('POST', '/v1/apps', { ...BODY, ...fields });

  it('have exactly the documented fields and show their secret only once', async () => {
    const answer = await create({
      allowed_scopes: ['apps:read', 'apps:write', 'apps:read'],
      webhook_default_url: 'https://quay.example/hooks',
    });
    const made = expectStatus(answer, 201);
    expect(Object.keys(made)).to.have.members([
      'app_id',
      'client_id',
      'client_secret',
      'name',
      'redirect_uris',
      'scopes',
      'created_at',
    ]);
    expect(made.scopes).to.deep.equal(['apps:read', 'apps:write']);
    expect(answer.headers.get('location')).to.equal(`/v1/apps/${made.app_id}`);
    const read = expectStatus(await service.admin.rest('GET', `/v1/apps/${made.app_id}`), 200);
    expect(read).to.deep.equal({
      id: made.app_id,
      name: 'Quay',
      client_id: made.client_id,
      client_type: 'confidential',
      redirect_uris: BODY.redirect_uris,
      allowed_scopes: ['apps:read', 'apps:write'],
      granted_scopes: ['apps:read', 'apps:write'],
      status: 'active',
      webhook_default_url: 'https://quay.example/hooks',
      created_at: made.created_at,
      updated_at: made.created_at,
    });
    const patched = await service.admin.rest('PATCH', `/v1/apps/${made.app_id}`, { name: 'Pier' });
    expect(expectStatus(patched, 200).name).to.equal('Pier');
    expect(patched.text + JSON.stringify(read))
      .to.not.include(made.client_secret as string)
      .and.not.include('secret');
  });

  it('have no secret when their clients are public', async () => {
    expect(
      expectStatus(await create({ allowed_scopes: ['apps:read'], client_type: 'public' }), 201),
    ).to.not.have.property('client_secret');
  });

  it('accept scopes as an alias of allowed_scopes: at least one, and both only if equal', async () => {
    expect(expectStatus(await create({ scopes: ['apps:read'] }), 201).scopes).to.deep.equal(['apps:read']);
    expectStatus(
      await create({ scopes: ['apps:read', 'apps:write'], allowed_scopes: ['apps:write', 'apps:read'] }),
      201,
    );
    for (const fields of [
      { scopes: ['apps:read'], allowed_scopes: ['apps:write'] },
      { scopes: ['apps:read'], allowed_scopes: ['apps:read', 'apps:write'] },
      {},
      { scopes: [] },
      { allowed_scopes: [] },
      { scopes: ['root'] },
    ])
      expect(expectStatus(await create(fields), 422).error.code, JSON.stringify(fields)).to.equal(
        'validation_failed',
      );
  });

  it('name a scope outside the grant as it was sent', async () => {
    const granted = { granted_scopes: ['apps:read'] };
    for (const name of ['scopes', 'allowed_scopes']) {
      const { error } = expectStatus(await create({ [name]: ['apps:read', 'apps:write'], ...granted }), 422);
      expect(error.details.map(({ field }: { field: string }) => field)).to.deep.equal([`${name}[1]`]);
    }
  });

  it('cannot have a default receiver that could not be registered', async () => {
    for (const url of [
      'http://quay.example/',
      'https://10.0.0.1/',
      'https://[fe80::1]/',
      'https://u@quay.example/',
      'https://quay.example/%zz',
    ]) {
      const answer = await service.admin.rest('POST', '/v1/apps', {
        name: 'Quay',
        redirect_uris: ['https://quay.example/cb'],
        allowed_scopes: ['webhooks:write'],
        webhook_default_url: url,
      });
      expect(expectStatus(answer, 422).error.details[0].field, url).to.equal('webhook_default_url');
    }
  });

  it('report every problem of their body at once, a missing scope included', async () => {
    const answer = await service.admin.rest('POST', '/v1/apps', {
      name: '',
      redirect_uris: [
        'http://quay.example/cb',
        'https://ok.example/',
        'nonsense',
        'https://x.example/#f',
        'javascript:alert(1)',
      ],
      client_type: 'secret',
      allowed_consent_purposes: ['support', 'spying'],
      webhook_default_url: 'ftp://x',
    });
    expect(expectStatus(answer, 422).error.details.map(({ field }: Json) => field)).to.have.members([
      'name',
      'redirect_uris[0]',
      'redirect_uris[2]',
      'redirect_uris[3]',
      'redirect_uris[4]',
      'client_type',
      'allowed_consent_purposes[1]',
      'webhook_default_url',
      'allowed_scopes',
    ]);
  });

  it('are called what stays one line and sets no direction of text', async () => {
    const app = await service.makeAppWith({ allowed_scopes: ['apps:read', 'apps:write'] });
    const rename = (name: string) => app.rest('PATCH', `/v1/apps/${app.appId}`, { name });
    const refusals = (answer: Answer) =>
      expectStatus(answer, 422).error.details.map(({ field, code }: Json) => [field, code]);
    for (const name of [
      'Acme.\n\nSet a new password: https://evil.example/reset',
      'Acme\tQuay',
      'Acme\u2028Quay',
      'Acme\u202E.elbissop revenetahw rof \u2066',
      '\u200FAcme',
      '   ',
      '\u3164',
      '\u200B\u2060',
      'Acme\u{E0001}',
    ]) {
      const made = await service.admin.rest('POST', '/v1/apps', { ...BODY, name, scopes: ['apps:read'] });
      for (const answer of [made, await rename(name)])
        expect(refusals(answer), name).to.deep.equal([['name', 'invalid_format']]);
      const { errors = [] } = await app.graphql(
        `mutation ($id: ID!, $name: String!) {
          updateApp(id: $id, input: { name: $name }, idempotencyKey: "a-name-of-two-lines") { id }
        }`,
        { id: app.appId, name },
      );
      expect(errors[0]?.extensions, name).to.have.nested.property('details[0].field', 'name');
    }
    for (const name of ['متجر الياقوت', 'ספרי הנמל 24', '👩\u200D👩\u200D👧 Family'])
      expect(expectStatus(await rename(name), 200).name).to.equal(name);
  });

  it('are managed with any administrative key, and not with a token or a part of a key', async () => {
    const next = new TestPartner(service.url, { 'x-service-admin-key': 'the-next-admin-key-0001' });
    expectStatus(await next.rest('POST', '/v1/apps', { ...BODY, scopes: ['apps:read'] }), 201);
    const app = await service.makeApp();
    const wrong: Record<string, string>[] = [
      app.credentials,
      {},
      { 'x-service-admin-key': '' },
      { 'x-service-admin-key': TEST_ADMIN_KEY.slice(0, -1) },
      { 'x-service-admin-key': `${TEST_ADMIN_KEY},the-next-admin-key-0001` },
    ];
    for (const credentials of wrong) {
      expectStatus(
        await new TestPartner(service.url, credentials).rest('POST', '/v1/apps', {
          ...BODY,
          scopes: ['apps:read'],
        }),
        401,
      );
    }
    expectStatus(await service.admin.rest('GET', '/v1/customers'), 401);
  });

  it('see themselves and no other', async () => {
    const [one, two] = [await service.makeApp(), await service.makeApp()];
    expectStatus(await one.rest('GET', `/v1/apps/${one.appId}`), 200);
    expectStatus(await one.rest('GET', `/v1/apps/${two.appId}`), 404);
    expectStatus(await one.rest('PATCH', `/v1/apps/${two.appId}`, { name: 'Mine' }), 404);
    expect(expectStatus(await two.rest('GET', `/v1/apps/${two.appId}`), 200).name).to.equal('Harbour Books');
  });

  it('are refused everywhere when disabled and work again when enabled', async () => {
    const app = await service.makeApp();
    const elsewhere = app.at(await service.addNode());
    const customer = await makeCustomer(app);
    expectStatus(await elsewhere.rest('GET', `/v1/customers/${customer}`), 200);
    expect(
      expectStatus(await app.rest('PATCH', `/v1/apps/${app.appId}`, { status: 'disabled' }), 200).status,
    ).to.equal('disabled');
    const refused = async (by: TestPartner): Promise<boolean> =>
      (await by.rest('GET', `/v1/customers/${customer}`)).status === 401;
    // Within a second on every node (docs/contract.md#authentication): by a notification that follows the
    // commit.
    for (const node of [app, elsewhere])
      while (!(await refused(node))) await new Promise((wake) => setTimeout(wake, 20));
    await service.token(app).then(
      () => expect.fail('a disabled app got a token'),
      (error: Error) => expect(error.message).to.match(/No token/),
    );
    expectStatus(await service.admin.rest('PATCH', `/v1/apps/${app.appId}`, { status: 'active' }), 200);
    await service.token(app);
  });

  it('lose a removed scope at once', async () => {
    const app = await service.makeApp();
    expectStatus(await app.rest('GET', '/v1/customers'), 200);
    expectStatus(
      await service.admin.rest('PATCH', `/v1/apps/${app.appId}`, { allowed_scopes: ['apps:read'] }),
      200,
    );
    let answer = await app.rest('GET', '/v1/customers');
    while (answer.status === 200) answer = await app.rest('GET', '/v1/customers');
    expect(expectStatus(answer, 403).error.code).to.equal('insufficient_scope');
    expectStatus(await app.rest('GET', `/v1/apps/${app.appId}`), 200);
  });
});
