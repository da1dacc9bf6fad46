import { expect } from 'chai';
import * as client from 'openid-client';
import { ALL_SCOPES } from '../../src/domain/scopes.js';
import type { Scope } from '../../src/domain/scopes.js';
import { createAccount } from '../../src/accounts/createAccount.js';
import { Browser } from '../oauth/Browser.js';
import { eventBody, makeEntry, putBooks, settled } from '../support/ingestRecords.js';
import { expectStatus, finished, grant, makeCustomer, revoke } from '../support/records.js';
import { TestPartner } from '../support/TestPartner.js';
import type { GraphqlAnswer, Json } from '../support/TestPartner.js';
import { TestService } from '../support/TestService.js';

const QUERY = `query ($id: ID!) { node(id: $id) {
  __typename id ... on Customer { externalId } ... on Event { eventType status }
  ... on Entry { entryId } ... on App { name } } }`;

const PASSWORD = 'three-otters-play-chess';

/** The id of one record of each type, and the scope of its own root field. */
type Nodes = Record<string, { id: string; scope: Scope }>;

describe('Query.node', () => {
  let service: TestService;
  let app: TestPartner;
  let other: TestPartner;
  let customer: string;
  let receipt: string;
  let book: string;
  let nodes: Nodes;

  before(async () => {
    service = await TestService.start();
    await putBooks(service);
    app = await service.makeApp();
    other = await service.makeApp();
    customer = await makeCustomer(app, { external_id: 'ada' });
    receipt = await grant(app, customer, 'personalization', 'analytics');
    book = await makeEntry(app);
    const session = { customer_id: customer, requested_purposes: ['support'] };
    const endpoint = { url: 'https://hooks.partner.example/in', enabled_events: ['*'] };
    const event = expectStatus(await app.rest('POST', '/v1/events', eventBody(customer, book)), 202);
    await settled(app, event.event_id as string);
    const whe = expectStatus(await app.rest('POST', '/v1/webhook-endpoints', endpoint), 201).endpoint
      .id as string;
    nodes = {
      App: { id: app.appId, scope: 'apps:read' },
      Customer: { id: customer, scope: 'customers:read' },
      ConnectionSession: {
        id: expectStatus(await app.rest('POST', '/v1/connection-sessions', session), 201).session.id,
        scope: 'connections:read',
      },
      ConsentReceipt: { id: receipt, scope: 'consent:read' },
      Entry: { id: book, scope: 'entries:read' },
      Event: { id: event.event_id, scope: 'events:read' },
      Ontology: { id: 'book', scope: 'ontologies:read' },
      Workflow: { id: await revoke(app, receipt, 'analytics'), scope: 'workflows:read' },
      WebhookEndpoint: { id: whe, scope: 'webhooks:read' },
      WebhookDelivery: {
        id: expectStatus(await app.rest('POST', `/v1/webhook-endpoints/${whe}/test`), 202).delivery_id,
        scope: 'webhooks:read',
      },
    };
  });
  after(() => service.stop());

  const codes = ({ errors }: GraphqlAnswer): string[] =>
    errors.map(({ extensions }) => extensions['code'] as string);

  it('refetches every type, by compiled and by plain execution', async () => {
    for (let times = 0; times < 3; times += 1)
      for (const [type, { id }] of Object.entries(nodes)) {
        const { data, errors } = await app.graphql(QUERY, { id });
        expect(errors).to.deep.equal([]);
        expect(data.node).to.include({ __typename: type, id });
      }
  });

  it('asks for the scope of the type, and for no other', async () => {
    for (const [type, { id, scope }] of Object.entries(nodes)) {
      const lacking = await service.narrowed(
        app,
        ...ALL_SCOPES.filter((name) => name !== scope && name !== 'offline_access'),
      );
      const refused = await lacking.graphql(QUERY, { id });
      expect([refused.data.node, codes(refused)], type).to.deep.equal([null, ['INSUFFICIENT_SCOPE']]);
      expect(refused.errors[0]?.extensions['missingScopes']).to.deep.equal([scope]);
      const { data } = await (await service.narrowed(app, scope)).graphql(QUERY, { id });
      expect(data.node.id).to.equal(id);
    }
  });

  it('answers an id of another app like an unknown id', async () => {
    const foreign = Object.entries(nodes).filter(([type]) => type !== 'Ontology');
    const nothing = [
      'cus_01kafem1xve7vbs97sn4r71brf',
      'clm_01kafem1xve7vbs97sn4r71brf',
      'entry:none',
      'none',
      '',
      '\u0000',
      '__proto__',
    ];
    for (const id of [...foreign.map(([, node]) => node.id), ...nothing]) {
      const answer = await other.graphql(QUERY, { id });
      expect([answer.data?.node ?? null, codes(answer)], id).to.deep.equal([
        null,
        [id === '\u0000' ? 'INVALID_REQUEST' : 'NOT_FOUND'],
      ]);
    }
  });

  it('does not say which type an unknown id could have had', async () => {
    for (const id of [
      'cus_x',
      'none',
      'cus_01kafem1xve7vbs97sn4r71brf',
      'clm_01kafem1xve7vbs97sn4r71brf',
      '',
    ]) {
      const { errors } = await app.graphql(QUERY, { id });
      expect(errors.map(({ message }) => message)).to.deep.equal(['There is no such node.']);
    }
  });

  it('reveals nothing without a credential', async () => {
    for (const id of [customer, 'none'])
      expect(codes(await service.nobody.graphql(QUERY, { id }))).to.deep.equal(['UNAUTHENTICATED']);
  });

  it('gives the administrative key what the root field of the type gives it', async () => {
    expect((await service.admin.graphql(QUERY, { id: app.appId })).data.node).to.include({
      name: 'Harbour Books',
    });
    expect(codes(await service.admin.graphql(QUERY, { id: customer }))).to.deep.equal(['UNAUTHENTICATED']);
  });

  it('finds an entry whose id the partner chose to look like something else', async () => {
    for (const entry_id of ['book', customer, 'entry:book']) {
      const body = {
        ontology: 'book',
        entry_id,
        entry_name: 'A book',
        fields: { isbn: entry_id, title: 'Emma' },
      };
      expectStatus(await app.rest('POST', '/v1/entries', body), 201);
      const { data } = await app.graphql('query ($id: ID!) { entry(id: $id) { id } }', { id: entry_id });
      const found = await app.graphql(QUERY, { id: data.entry.id });
      expect(found.data.node).to.deep.equal({ __typename: 'Entry', id: data.entry.id, entryId: entry_id });
    }
  });

  it('hides the content of an event once its purpose is revoked', async () => {
    const { id } = nodes['Event'] ?? { id: '' };
    expect((await app.graphql(QUERY, { id })).data.node).to.include({
      eventType: 'purchased',
      status: 'PROCESSED',
    });
    await finished(app, await revoke(app, receipt));
    expect((await app.graphql(QUERY, { id })).data.node).to.include({
      id,
      eventType: null,
      status: 'PROCESSED',
    });
    const listed = async (filter: string): Promise<Json[]> =>
      expectStatus(await app.rest('GET', `/v1/events?${filter}`), 200).data.filter(
        ({ event_id: event }: Json) => event === id,
      );
    const filters = ['', 'status=processed', `customer_id=${customer}`, 'consent_purpose=personalization'];
    for (const filter of filters)
      expect(Object.keys((await listed(filter))[0]).toSorted()).to.deep.equal([
        'accepted_at',
        'event_id',
        'processed_at',
        'sequence',
        'status',
      ]);
  });
});

describe('Query.viewer', () => {
  let service: TestService;
  let app: TestPartner;

  before(async () => {
    service = await TestService.start();
    app = await service.makeApp();
  });
  after(() => service.stop());

  const QUERY_VIEWER = '{ viewer { kind appId clientId accountId scopes account { id email } } }';

  it('shows a client its app and the scopes of its token', async () => {
    const narrow = await service.narrowed(app, 'customers:read', 'apps:read');
    const { data } = await narrow.graphql(
      '{ viewer { kind appId clientId accountId scopes app { name } account { id } } }',
    );
    expect(data.viewer).to.deep.equal({
      kind: 'CLIENT',
      appId: app.appId,
      clientId: app.appId,
      accountId: null,
      scopes: ['apps:read', 'customers:read'],
      app: { name: 'Harbour Books' },
      account: null,
    });
  });

  /** A new member's id, and what sees the app with a token of theirs with these scopes. */
  async function memberWith(
    email: string,
    scope: string,
  ): Promise<{ accountId: string; member: TestPartner }> {
    const person = { email, password: PASSWORD };
    const { accountId } = await createAccount(service.services.database, person, new Date());
    await service.sql('INSERT INTO app_members VALUES ($1, $2, $3, now(), now())', [
      app.appId,
      accountId,
      ['customers:read', 'profile:read'],
    ]);
    const configuration = await client.discovery(
      new URL(service.url),
      app.appId,
      app.clientSecret,
      undefined,
      {
        execute: [client.allowInsecureRequests],
      },
    );
    const pkceCodeVerifier = client.randomPKCECodeVerifier();
    const address = client.buildAuthorizationUrl(configuration, {
      redirect_uri: 'https://partner.example/callback',
      scope,
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
    });
    const page = await new Browser(service.url).open(address.href);
    const approval = await page.submit('/sign-in', { email, password: PASSWORD });
    const { away } = await approval.submit('/decide', { decision: 'allow' });
    if (away === undefined) throw new Error('The approval led nowhere.');
    const { access_token: token } = await client.authorizationCodeGrant(configuration, away, {
      pkceCodeVerifier,
    });
    return { accountId, member: new TestPartner(service.url, { authorization: `Bearer ${token}` }) };
  }

  it('shows a person their account, app and scopes', async () => {
    const email = 'viewer@partner.example';
    const { accountId, member } = await memberWith(email, 'openid email customers:read profile:read');
    const { data } = await member.graphql(QUERY_VIEWER);
    expect(data.viewer).to.deep.equal({
      kind: 'ACCOUNT',
      appId: app.appId,
      clientId: app.appId,
      accountId,
      scopes: ['customers:read', 'profile:read'],
      account: { id: accountId, email },
    });
    const { data: nothing, errors } = await member.graphql('{ events { totalCount } }');
    expect([nothing, errors[0]?.extensions['missingScopes']]).to.deep.equal([null, ['events:read']]);
  });

  for (const scope of ['openid customers:read', 'email customers:read', 'customers:read'])
    it(`shows the id alone of the account with "${scope}"`, async () => {
      const { accountId, member } = await memberWith(`${scope.replace(/\W/g, '-')}@partner.example`, scope);
      const { data, errors } = await member.graphql(QUERY_VIEWER);
      expect(errors).to.deep.equal([]);
      expect(data.viewer).to.deep.equal({
        kind: 'ACCOUNT',
        appId: app.appId,
        clientId: app.appId,
        accountId,
        scopes: ['customers:read'],
        account: null,
      });
    });

  it('shows the app only with the scope to read it', async () => {
    const { data, errors } = await (
      await service.narrowed(app, 'customers:read')
    ).graphql('{ viewer { appId app { name } } }');
    expect(data.viewer).to.deep.equal({ appId: app.appId, app: null });
    expect(errors[0]?.extensions['missingScopes']).to.deep.equal(['apps:read']);
  });

  it('identifies the operator, and is refused without a credential', async () => {
    const { data } = await service.admin.graphql(QUERY_VIEWER);
    expect(data.viewer).to.deep.equal({
      kind: 'OPERATOR',
      appId: null,
      clientId: null,
      accountId: null,
      scopes: [],
      account: null,
    });
    const { status, errors } = await service.nobody.graphql(QUERY_VIEWER);
    expect([status, errors[0]?.extensions['code']]).to.deep.equal([401, 'UNAUTHENTICATED']);
  });
});
