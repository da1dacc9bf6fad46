import { expect } from 'chai';
import { signIn } from '../../src/oauth/signIn.js';
import { sweepExpired } from '../../src/jobs/sweepExpired.js';
import type { TestApp } from './oauthWorld.js';
import { OauthWorld } from './oauthWorld.js';
import { obtainTokens } from './obtainTokens.js';

describe('sweepExpired', () => {
  let world: OauthWorld;
  let app: TestApp;

  before(async () => {
    world = await OauthWorld.open();
    app = await world.addApp();
  });
  after(() => world.close());

  async function count(table: string): Promise<number> {
    const [row] = await world.sql(`SELECT count(*)::int AS count FROM ${table}`);
    return Number(row?.['count']);
  }

  it('leaves everything that still counts', async () => {
    const { tokens } = await obtainTokens(world, app, 'customers:read offline_access');
    await signIn(world.node.services, { email: 'a@b.example', password: 'x', address: '203.0.113.4' });
    const before = [
      await count('oauth_artifacts'),
      await count('account_sessions'),
      await count('throttles'),
    ];
    expect(await sweepExpired(world.database)).to.equal(false);
    expect([
      await count('oauth_artifacts'),
      await count('account_sessions'),
      await count('throttles'),
    ]).to.deep.equal(before);
    expect(await world.node.server.verifier.verify(tokens.access_token)).to.have.property('kind', 'app');
  });

  it('removes what has expired, a batch at a time, and says when there is more', async () => {
    for (let made = 0; made < 5; made += 1) await world.appToken(app);
    await world.sql(
      `UPDATE oauth_artifacts SET expires_at = now() - interval '2 minutes' WHERE kind = 'ClientCredentials'`,
    );
    expect(await sweepExpired(world.database, 3)).to.equal(true);
    expect(await count(`oauth_artifacts WHERE kind = 'ClientCredentials'`)).to.equal(2);
    expect(await sweepExpired(world.database, 3)).to.equal(false);
    expect(await count(`oauth_artifacts WHERE kind = 'ClientCredentials'`)).to.equal(0);
  });

  it('removes sessions, throttles and grants that nothing hangs on', async () => {
    await world.sql(`UPDATE account_sessions SET expires_at = now() - interval '1 second'`);
    await world.sql('UPDATE throttles SET expire = 1');
    await world.sql(`UPDATE oauth_artifacts SET issued_at = now() - interval '2 days'`);
    await world.sql(`DELETE FROM oauth_artifacts WHERE kind IN ('AccessToken', 'AuthorizationCode')`);
    await sweepExpired(world.database);
    expect([await count('account_sessions'), await count('throttles')]).to.deep.equal([0, 0]);
    expect(await count(`oauth_artifacts WHERE kind = 'Grant'`)).to.equal(1);
    await world.sql(`DELETE FROM oauth_artifacts WHERE kind = 'RefreshToken'`);
    await sweepExpired(world.database);
    expect(await count(`oauth_artifacts WHERE kind = 'Grant'`)).to.equal(0);
  });
});
