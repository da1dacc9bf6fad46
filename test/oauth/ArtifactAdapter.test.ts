import { expect } from 'chai';
import { ArtifactAdapter } from '../../src/oauth/ArtifactAdapter.js';
import { hashSecretToken } from '../../src/domain/secretToken.js';
import type { TestApp } from './OauthHarness.js';
import { OauthHarness } from './OauthHarness.js';

describe('ArtifactAdapter', () => {
  let harness: OauthHarness;
  let app: TestApp;

  before(async () => {
    harness = await OauthHarness.open();
    app = await harness.addApp();
  });
  after(() => harness.close());

  function adapter(kind: string): ArtifactAdapter {
    return new ArtifactAdapter(kind, harness.database, harness.node.services.secrets);
  }

  async function addFamily(grantId: string): Promise<void> {
    await adapter('Grant').upsert(grantId, { clientId: app.appId, kind: 'Grant' }, 60);
    await adapter('AuthorizationCode').upsert(`${grantId}-code`, { clientId: app.appId, grantId }, 60);
    await adapter('AccessToken').upsert(`${grantId}-access`, { clientId: app.appId, grantId }, 60);
    await adapter('RefreshToken').upsert(
      `${grantId}-refresh`,
      { clientId: app.appId, grantId, scope: 'customers:read' },
      60,
    );
  }

  /** What is left of it. */
  async function familyOf(grantId: string): Promise<string[]> {
    const ids = {
      Grant: grantId,
      AuthorizationCode: `${grantId}-code`,
      AccessToken: `${grantId}-access`,
      RefreshToken: `${grantId}-refresh`,
    };
    const found = Object.entries(ids).map(async ([kind, id]) =>
      (await adapter(kind).find(id)) ? [kind] : [],
    );
    return (await Promise.all(found)).flat();
  }

  async function errorOf(work: Promise<unknown>): Promise<unknown> {
    return work.then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? error.message : error),
    );
  }

  it('returns a stored artifact with its id', async () => {
    await addFamily('one');
    expect(await adapter('RefreshToken').find('one-refresh')).to.deep.equal({
      clientId: app.appId,
      grantId: 'one',
      scope: 'customers:read',
      jti: 'one-refresh',
    });
  });

  it('returns a code that is good as long here as where it was made, whatever the clocks show', async () => {
    const made = { clientId: app.appId, grantId: 'apart', exp: 1 };
    await adapter('Grant').upsert('apart', { clientId: app.appId, kind: 'Grant' }, 60);
    await adapter('AuthorizationCode').upsert('apart-code', made, 60);
    const { exp = 0 } = (await adapter('AuthorizationCode').find('apart-code')) ?? {};
    expect(exp - Date.now() / 1000).to.be.within(0, 61);
  });

  it('finds no artifact of another kind and none that has expired', async () => {
    await addFamily('two');
    expect(await adapter('AccessToken').find('two-refresh')).to.equal(undefined);
    await adapter('AccessToken').upsert('two-old', { clientId: app.appId, grantId: 'two' }, -1);
    expect(await adapter('AccessToken').find('two-old')).to.equal(undefined);
  });

  it('marks a used artifact as consumed', async () => {
    await addFamily('three');
    await adapter('RefreshToken').consume('three-refresh');
    expect(await adapter('RefreshToken').find('three-refresh'))
      .to.have.property('consumed')
      .that.is.a('number');
    const [row] = await harness.sql(
      'SELECT floor(extract(epoch FROM consumed_at))::int AS seconds FROM oauth_artifacts WHERE id_hash = $1',
      [hashSecretToken('three-refresh')],
    );
    expect((await adapter('RefreshToken').find('three-refresh'))?.['consumed']).to.equal(row?.['seconds']);
  });

  it('destroys one artifact and none of another kind', async () => {
    await addFamily('destroyed');
    await adapter('RefreshToken').destroy('destroyed-access');
    expect(await adapter('AccessToken').find('destroyed-access')).to.not.equal(undefined);
    await adapter('AccessToken').destroy('destroyed-access');
    expect(await adapter('AccessToken').find('destroyed-access')).to.equal(undefined);
    expect(await adapter('RefreshToken').find('destroyed-refresh')).to.not.equal(undefined);
  });

  it('keeps interactions and tokens without a grant when a grant is revoked', async () => {
    await addFamily('about');
    await adapter('Interaction').upsert('about-interaction', { grantId: 'about' }, 60);
    await adapter('AccessToken').upsert('about-nothing', { clientId: app.appId }, 60);
    await adapter('Grant').revokeByGrantId('about');
    expect(await familyOf('about')).to.deep.equal([]);
    expect(await adapter('Interaction').find('about-interaction')).to.include({ grantId: 'about' });
    expect(await adapter('AccessToken').find('about-nothing')).to.not.equal(undefined);
  });

  it('deletes sessions, grants and tokens with the account and keeps interactions', async () => {
    const accountId = await harness.addAccount('leaving@partner.example');
    const kinds = ['AccessToken', 'AuthorizationCode', 'RefreshToken', 'Grant', 'Session', 'Interaction'];
    for (const kind of kinds) await adapter(kind).upsert(`left-${kind}`, { accountId }, 60);
    await harness.sql('DELETE FROM accounts WHERE account_id = $1', [accountId]);
    const found = await Promise.all(kinds.map((kind) => adapter(kind).find(`left-${kind}`)));
    expect(found.map((payload) => payload !== undefined)).to.deep.equal(
      kinds.map((kind) => kind === 'Interaction'),
    );
  });

  it('passes database errors on', async () => {
    const away = Object.assign(new Error('the database is away'), { code: '57P01' });
    const broken = new ArtifactAdapter(
      'Grant',
      { read: () => Promise.reject(away) },
      harness.node.services.secrets,
    );
    expect(await broken.upsert('away', {}, 60).catch((error: unknown) => error)).to.equal(away);
  });

  it('does not find an artifact that was stored without a lifetime', async () => {
    await adapter('Grant').upsert('timeless', { clientId: app.appId });
    expect(await adapter('Grant').find('timeless')).to.equal(undefined);
  });

  for (const [kind, id] of [
    ['AuthorizationCode', 'four-code'],
    ['RefreshToken', 'four-refresh'],
  ] as const) {
    it(`ends the family when an artifact of kind ${kind} is used a second time`, async () => {
      await addFamily('four');
      await adapter(kind).consume(id);
      expect(await familyOf('four')).to.have.length(4);
      expect(await errorOf(adapter(kind).consume(id))).to.equal('invalid_grant');
      expect(await familyOf('four')).to.deep.equal([]);
    });
  }

  it('refuses to store an artifact of a family that has ended', async () => {
    await addFamily('five');
    await adapter('AccessToken').revokeByGrantId('five');
    const late = adapter('AccessToken').upsert('five-late', { clientId: app.appId, grantId: 'five' }, 60);
    expect(await errorOf(late)).to.equal('invalid_grant');
  });

  it('finds a session by its uid and does not return its id', async () => {
    await adapter('Session').upsert('session-id', { uid: 'session-uid', loginTs: 1 }, 60);
    expect(await adapter('Session').findByUid('session-uid')).to.deep.equal({
      uid: 'session-uid',
      loginTs: 1,
    });
  });
});
