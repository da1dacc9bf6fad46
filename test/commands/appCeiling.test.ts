import { expect } from 'chai';
import { ALL_SCOPES } from '../../src/domain/scopes.js';
import type { Answer, Json, TestPartner } from '../support/TestPartner.js';
import { TestService } from '../support/TestService.js';
import { expectStatus, makeCustomer } from '../support/records.js';

describe("an app's ceiling", () => {
  let service: TestService;

  before(async () => {
    service = await TestService.start();
  });
  after(() => service.stop());

  const narrowApp = (): Promise<TestPartner> =>
    service.makeAppWith({
      allowed_scopes: ['apps:read', 'apps:write', 'customers:write'],
      allowed_consent_purposes: ['support'],
    });
  const read = async (app: TestPartner): Promise<Json> =>
    expectStatus(await service.admin.rest('GET', `/v1/apps/${app.appId}`), 200);
  const patch = (by: TestPartner, app: TestPartner, change: object): Promise<Answer> =>
    by.rest('PATCH', `/v1/apps/${app.appId}`, change);
  const refusals = (answer: Answer): [string, string][] =>
    expectStatus(answer, 422).error.details.map(({ field, code }: Json) => [field, code]);

  it('is set when the app is created, and shown through both doors', async () => {
    const app = await narrowApp();
    const shown = await read(app);
    expect(shown.granted_scopes).to.deep.equal(['apps:read', 'apps:write', 'customers:write']);
    expect(shown.granted_consent_purposes).to.deep.equal(['support']);
    const { data } = await app.graphql(
      'query ($id: ID!) { app(id: $id) { grantedScopes grantedConsentPurposes } }',
      {
        id: app.appId,
      },
    );
    expect(data.app).to.deep.equal({
      grantedScopes: ['apps:read', 'apps:write', 'customers:write'],
      grantedConsentPurposes: ['SUPPORT'],
    });
  });

  it('can be set apart from the choice when the app is made', async () => {
    const made = await service.admin.rest('POST', '/v1/apps', {
      name: 'Quay',
      redirect_uris: ['https://quay.example/cb'],
      allowed_scopes: ['apps:write'],
      granted_scopes: ['apps:write', 'apps:read'],
      allowed_consent_purposes: ['support'],
      granted_consent_purposes: null,
    });
    const { app_id: id } = expectStatus(made, 201);
    const shown = expectStatus(await service.admin.rest('GET', `/v1/apps/${id}`), 200);
    expect(shown.granted_scopes).to.deep.equal(['apps:write', 'apps:read']);
    expect(shown).to.not.have.property('granted_consent_purposes');
    expect(shown.allowed_consent_purposes).to.deep.equal(['support']);
  });

  it('refuses wider scopes and purposes from the app, names each field, and changes nothing', async () => {
    const app = await narrowApp();
    const before = await read(app);
    expect(
      refusals(
        await patch(app, app, {
          name: 'Wide',
          allowed_scopes: ['apps:read', 'profile:read', 'claims:read'],
          allowed_consent_purposes: ['support', 'analytics'],
        }),
      ),
    ).to.deep.equal([
      ['allowed_scopes[1]', 'not_granted'],
      ['allowed_scopes[2]', 'not_granted'],
      ['allowed_consent_purposes[1]', 'not_granted'],
    ]);
    expect(refusals(await patch(app, app, { allowed_scopes: ALL_SCOPES }))).to.have.length(
      ALL_SCOPES.length - 3,
    );
    expect(refusals(await patch(app, app, { allowed_consent_purposes: null }))).to.deep.equal([
      ['allowed_consent_purposes', 'not_granted'],
    ]);
    const { errors } = await app.graphql(
      'mutation ($id: ID!, $key: String!) { updateApp(id: $id, input: { allowedScopes: [PROFILE_READ] }, idempotencyKey: $key) { id } }'.replace(
        'PROFILE_READ',
        '"profile:read"',
      ),
      { id: app.appId },
    );
    expect(errors[0]?.extensions['details'][0].code).to.equal('not_granted');
    expect(errors[0]?.message).to.equal('The request is not valid: allowedScopes[0].');
    expect(await read(app)).to.deep.equal(before);
  });

  it('cannot be changed with a token', async () => {
    const app = await narrowApp();
    const before = await read(app);
    expect(
      refusals(
        await patch(app, app, {
          granted_scopes: ['apps:write', 'profile:read'],
          granted_consent_purposes: null,
        }),
      ),
    ).to.deep.equal([
      ['granted_scopes', 'not_granted'],
      ['granted_consent_purposes', 'not_granted'],
    ]);
    expect(await read(app)).to.deep.equal(before);
  });

  it('lets the app narrow itself and come back', async () => {
    const app = await narrowApp();
    const narrowed = expectStatus(
      await patch(app, app, { allowed_scopes: ['apps:write'], allowed_consent_purposes: [] }),
      200,
    );
    expect(narrowed.allowed_scopes).to.deep.equal(['apps:write']);
    expect(narrowed.allowed_consent_purposes).to.deep.equal([]);
    expect(narrowed.granted_scopes).to.deep.equal(['apps:read', 'apps:write', 'customers:write']);
    const back = expectStatus(
      await patch(app, app, {
        allowed_scopes: ['apps:write', 'apps:read', 'customers:write'],
        allowed_consent_purposes: ['support'],
      }),
      200,
    );
    expect(back.allowed_consent_purposes).to.deep.equal(['support']);
  });

  it('follows what the operator allows, unless another is given beside it', async () => {
    const app = await narrowApp();
    const followed = expectStatus(
      await patch(service.admin, app, {
        allowed_scopes: ['apps:write', 'claims:read'],
        allowed_consent_purposes: null,
      }),
      200,
    );
    expect(followed.granted_scopes).to.deep.equal(['apps:write', 'claims:read']);
    expect(followed).to.not.have.property('granted_consent_purposes');
    const apart = expectStatus(
      await patch(service.admin, app, {
        allowed_scopes: ['apps:write'],
        granted_scopes: ['apps:write', 'profile:read'],
        allowed_consent_purposes: ['support'],
        granted_consent_purposes: ['analytics', 'support'],
      }),
      200,
    );
    expect(apart.allowed_scopes).to.deep.equal(['apps:write']);
    expect(apart.granted_scopes).to.deep.equal(['apps:write', 'profile:read']);
    expect(apart.granted_consent_purposes).to.deep.equal(['analytics', 'support']);
    expect(
      refusals(
        await patch(service.admin, app, { allowed_scopes: ['claims:read'], granted_scopes: ['apps:write'] }),
      ),
    ).to.deep.equal([['allowed_scopes[0]', 'not_granted']]);
  });

  it('removes scopes from tokens and closes purposes when it is lowered', async () => {
    const app = await narrowApp();
    const customer = await makeCustomer(app);
    const lowered = expectStatus(
      await patch(service.admin, app, {
        granted_scopes: ['apps:read', 'apps:write'],
        granted_consent_purposes: [],
      }),
      200,
    );
    expect(lowered.allowed_scopes).to.deep.equal(['apps:read', 'apps:write']);
    expect(lowered.allowed_consent_purposes).to.deep.equal([]);
    expect(await service.sql('SELECT allowed_mask FROM apps WHERE app_id = $1', [app.appId])).to.deep.equal([
      { allowed_mask: 0 },
    ]);
    const write = (): Promise<Answer> =>
      app.rest('PATCH', `/v1/customers/${customer}`, { profile: { display_name: 'Ada' } });
    let answer = await write();
    while (answer.status === 200) answer = await write();
    expect(expectStatus(answer, 403).error.code).to.equal('insufficient_scope');
  });

  it('is held by the database too: a row beyond it cannot be stored', async () => {
    const app = await narrowApp();
    for (const change of [
      `allowed_scopes = '{profile:read}'`,
      `allowed_consent_purposes = NULL`,
      `allowed_consent_purposes = '{analytics}'`,
    ])
      await service.sql(`UPDATE apps SET ${change} WHERE app_id = $1`, [app.appId]).then(
        () => expect.fail(`${change} was stored`),
        (error: Error) => expect(error.message).to.match(/apps_(scopes|purposes)_check/),
      );
  });
});
