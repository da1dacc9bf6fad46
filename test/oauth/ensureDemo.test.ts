import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { ensureDemo } from '../../src/oauth/ensureDemo.js';
import { signIn } from '../../src/oauth/signIn.js';
import { OauthWorld } from './oauthWorld.js';

describe('ensureDemo', () => {
  let world: OauthWorld;
  let dataDir: string;

  before(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'consent-demo-'));
    world = await OauthWorld.open({ DATA_DIR: dataDir });
  });
  after(async () => {
    await world.close();
    rmSync(dataDir, { recursive: true });
  });

  it('makes an account and an app that work, once', async () => {
    const demo = await ensureDemo(world.node.services);
    expect(await ensureDemo(world.node.services)).to.deep.equal(demo);
    const { email, password } = demo;
    const result = await signIn(world.node.services, { email, password, address: '203.0.113.5' });
    expect(result.kind).to.equal('signed_in');
    const token = await world.appToken({ appId: demo.appId, secret: demo.clientSecret }, 'customers:write');
    expect(await world.node.server.verifier.verify(token)).to.have.property('appId', demo.appId);
    expect(statSync(join(dataDir, 'demo.json')).mode & 0o077).to.equal(0);
  });

  it('is made anew in an empty database, with the same secrets', async () => {
    const demo = await ensureDemo(world.node.services);
    await world.sql('DELETE FROM accounts');
    await world.sql('DELETE FROM oauth_artifacts');
    await world.sql('DELETE FROM apps');
    expect(await ensureDemo(world.node.services)).to.deep.equal(demo);
    const [row] = await world.sql('SELECT count(*)::int AS count FROM app_members');
    expect(row).to.deep.equal({ count: 1 });
  });
});
