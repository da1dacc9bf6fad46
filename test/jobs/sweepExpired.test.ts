import { expect } from 'chai';
import { signIn } from '../../src/oauth/signIn.js';
import { sweepExpired } from '../../src/jobs/sweepExpired.js';
import type { TestApp } from '../oauth/OauthHarness.js';
import { OauthHarness } from '../oauth/OauthHarness.js';
import { obtainTokens } from '../oauth/obtainTokens.js';

describe('sweepExpired', () => {
  let harness: OauthHarness;
  let app: TestApp;

  before(async () => {
    harness = await OauthHarness.open();
    app = await harness.addApp();
  });
  after(() => harness.close());

  async function count(table: string): Promise<number> {
    const [row] = await harness.sql(`SELECT count(*)::int AS count FROM ${table}`);
    return Number(row?.['count']);
  }

  it('keeps everything that has not expired', async () => {
    const { tokens } = await obtainTokens(harness, app, 'customers:read offline_access');
    await signIn(harness.node.services, { email: 'a@b.example', password: 'x', address: '203.0.113.4' });
    const before = [
      await count('oauth_artifacts'),
      await count('account_sessions'),
      await count('throttles'),
    ];
    expect(await sweepExpired(harness.database)).to.equal(false);
    expect([
      await count('oauth_artifacts'),
      await count('account_sessions'),
      await count('throttles'),
    ]).to.deep.equal(before);
    expect(await harness.node.server.verifier.verify(tokens.access_token)).to.have.property('kind', 'app');
  });

  it('removes one batch of expired artifacts and returns whether there are more', async () => {
    for (let made = 0; made < 5; made += 1) await harness.appToken(app);
    await harness.sql(
      `UPDATE oauth_artifacts SET expires_at = now() - interval '2 minutes' WHERE kind = 'ClientCredentials'`,
    );
    expect(await sweepExpired(harness.database, 3)).to.equal(true);
    expect(await count(`oauth_artifacts WHERE kind = 'ClientCredentials'`)).to.equal(2);
    expect(await sweepExpired(harness.database, 3)).to.equal(false);
    expect(await count(`oauth_artifacts WHERE kind = 'ClientCredentials'`)).to.equal(0);
  });

  it('removes expired sessions and throttles, and grants without tokens', async () => {
    await harness.sql(`UPDATE account_sessions SET expires_at = now() - interval '1 second'`);
    await harness.sql('UPDATE throttles SET expire = 1');
    await harness.sql(`UPDATE oauth_artifacts SET issued_at = now() - interval '2 days'`);
    await harness.sql(`DELETE FROM oauth_artifacts WHERE kind IN ('AccessToken', 'AuthorizationCode')`);
    await sweepExpired(harness.database);
    expect([await count('account_sessions'), await count('throttles')]).to.deep.equal([0, 0]);
    expect(await count(`oauth_artifacts WHERE kind = 'Grant'`)).to.equal(1);
    await harness.sql(`DELETE FROM oauth_artifacts WHERE kind = 'RefreshToken'`);
    await sweepExpired(harness.database);
    expect(await count(`oauth_artifacts WHERE kind = 'Grant'`)).to.equal(0);
  });
});
