import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { ensureDemo } from '../../src/oauth/ensureDemo.js';
import { signIn } from '../../src/oauth/signIn.js';
import { OauthHarness } from './OauthHarness.js';

describe('ensureDemo', () => {
  let harness: OauthHarness;
  let dataDir: string;

  before(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'consent-demo-'));
    harness = await OauthHarness.open({ DATA_DIR: dataDir });
  });
  after(async () => {
    await harness.close();
    rmSync(dataDir, { recursive: true });
  });

  it('makes an account and an app that work, once', async () => {
    const demo = await ensureDemo(harness.node.services);
    expect(await ensureDemo(harness.node.services)).to.deep.equal(demo);
    const { email, password } = demo;
    const result = await signIn(harness.node.services, { email, password, address: '203.0.113.5' });
    expect(result.kind).to.equal('signed_in');
    const token = await harness.appToken({ appId: demo.appId, secret: demo.clientSecret }, 'customers:write');
    expect(await harness.node.server.verifier.verify(token)).to.have.property('appId', demo.appId);
    expect(statSync(join(dataDir, 'demo.json')).mode & 0o077).to.equal(0);
  });

  it('is made anew in an empty database, with the same secrets', async () => {
    const demo = await ensureDemo(harness.node.services);
    await harness.sql('DELETE FROM accounts');
    await harness.sql('DELETE FROM oauth_artifacts');
    await harness.sql('DELETE FROM apps');
    expect(await ensureDemo(harness.node.services)).to.deep.equal(demo);
    const [row] = await harness.sql('SELECT count(*)::int AS count FROM app_members');
    expect(row).to.deep.equal({ count: 1 });
  });
});
