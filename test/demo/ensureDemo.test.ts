import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { allowedMask } from '../../src/domain/purposes.js';
import { ALL_SCOPES } from '../../src/domain/scopes.js';
import type { Demo } from '../../src/demo/ensureDemo.js';
import { ensureDemo, keptDemo } from '../../src/demo/ensureDemo.js';
import { signIn } from '../../src/oauth/signIn.js';
import { OauthHarness } from '../oauth/OauthHarness.js';

describe('ensureDemo', () => {
  let harness: OauthHarness;
  let parent: string;
  let dataDir: string;

  before(async () => {
    parent = mkdtempSync(join(tmpdir(), 'consent-demo-'));
    dataDir = join(parent, 'made', 'with-its-parents');
    harness = await OauthHarness.open({ DATA_DIR: dataDir });
  });
  after(async () => {
    await harness.close();
    rmSync(parent, { recursive: true });
  });

  async function works({ email, password, appId, clientSecret }: Demo): Promise<void> {
    const result = await signIn(harness.node.services, { email, password, address: '203.0.113.5' });
    expect(result.kind).to.equal('signed_in');
    const token = await harness.appToken({ appId, secret: clientSecret }, 'customers:write');
    expect(await harness.node.server.verifier.verify(token)).to.have.property('appId', appId);
  }

  async function tables(): Promise<Record<string, unknown>[]> {
    const rows = await harness.sql(
      `SELECT a.app_id, c.account_id, a.name, a.redirect_uris, a.allowed_scopes, a.granted_scopes, a.allowed_mask, m.scopes,
              c.email, c.email_verified
         FROM apps a JOIN app_members m USING (app_id) JOIN accounts c USING (account_id)`,
    );
    return rows.map(({ app_id: appId, account_id: accountId, ...rest }) => {
      expect(appId).to.match(/^app_[0-9a-z]{26}$/);
      expect(accountId).to.match(/^acc_[0-9a-z]{26}$/);
      return rest;
    });
  }

  const EXPECTED = () => ({
    name: 'Demo app',
    redirect_uris: [`${harness.baseUrl}/graphiql/callback`],
    allowed_scopes: [...ALL_SCOPES],
    granted_scopes: [...ALL_SCOPES],
    allowed_mask: allowedMask(null),
    scopes: [...ALL_SCOPES],
    email: 'demo@localhost.example',
    email_verified: true,
  });

  it('creates an account and an app once', async () => {
    expect(keptDemo(dataDir)).to.equal(undefined);
    const demo = await ensureDemo(harness.node.services);
    expect(await ensureDemo(harness.node.services)).to.deep.equal(demo);
    expect(keptDemo(dataDir)).to.deep.equal(demo);
    await works(demo);
    expect(await tables()).to.deep.equal([EXPECTED()]);
    expect(readdirSync(dataDir)).to.deep.equal(['demo.json']);
    expect(statSync(join(dataDir, 'demo.json')).mode & 0o077).to.equal(0);
  });

  it('creates them again in an empty database with the same secrets', async () => {
    const demo = await ensureDemo(harness.node.services);
    for (const table of ['accounts', 'oauth_artifacts', 'apps']) await harness.sql(`DELETE FROM ${table}`);
    expect(await ensureDemo(harness.node.services)).to.deep.equal(demo);
    expect(await tables()).to.deep.equal([EXPECTED()]);
    await works(demo);
  });

  it('restores the password and the proved address', async () => {
    const demo = await ensureDemo(harness.node.services);
    await harness.sql(`UPDATE accounts SET password_hash = null, email_verified = false`);
    await ensureDemo(harness.node.services);
    expect(await tables()).to.deep.equal([EXPECTED()]);
    await works(demo);
  });

  it('creates new secrets when its file cannot be read', async () => {
    const demo = await ensureDemo(harness.node.services);
    const text = readFileSync(join(dataDir, 'demo.json'), 'utf8');
    writeFileSync(join(dataDir, 'demo.json'), text.slice(0, 20));
    const another = await ensureDemo(harness.node.services);
    expect(another.clientSecret).to.not.equal(demo.clientSecret);
    expect(another.password).to.not.equal(demo.password);
    await works(another);
  });

  it('refuses to run in production', async () => {
    const config = { ...harness.node.config, environment: 'production' as const };
    const before = await harness.sql('SELECT app_id FROM apps');
    const refusal = await ensureDemo({ ...harness.node.services, config }).catch((error: unknown) => error);
    expect(refusal)
      .to.be.instanceOf(Error)
      .with.property('message', 'There is no demo account in production.');
    expect(await harness.sql('SELECT app_id FROM apps')).to.deep.equal(before);
  });
});
