import { expect } from 'chai';
import {
  listSigningKeys,
  loadSigningKeys,
  PUBLISHED_AHEAD_MS,
  revokeSigningKey,
  rotateSigningKey,
  rotateWhenDue,
  signJws,
} from '../../src/oauth/signingKeys.js';
import { SecretBox } from '../../src/domain/SecretBox.js';
import { OauthHarness } from './OauthHarness.js';

const DAY_MS = 24 * 60 * 60 * 1000;

/** The advisory lock of whoever makes or revokes keys, the same in every version of the service. */
const KEYS_LOCK = 7_263_518_005;

describe('Stored signing keys', () => {
  let harness: OauthHarness;
  const start = new Date('2026-11-01T00:00:00.000Z').getTime();
  let now = start;

  before(async () => {
    // The node reads the keys after a revocation, and would rotate them by its own clock.
    harness = await OauthHarness.open({ SIGNING_KEY_DAYS: '0' });
  });
  after(() => harness.close());

  beforeEach(async () => {
    now = start;
    await harness.sql('DELETE FROM signing_keys');
    await loadSigningKeys(services());
  });

  function services() {
    return { ...harness.node.services, clock: () => new Date(now) };
  }

  async function stored(use: string): Promise<string[]> {
    const rows = await harness.sql('SELECT key_id FROM signing_keys WHERE use = $1 ORDER BY created_at', [
      use,
    ]);
    return rows.map((row) => String(row['key_id']));
  }

  async function loaded(): Promise<unknown[]> {
    return (await loadSigningKeys(services())).jwks.map(({ kid }) => kid);
  }

  it('are one signing key and one cookie key at the first start, and the same at the next', async () => {
    const first = await loadSigningKeys(services());
    expect([first.jwks.length, first.cookieKeys.length]).to.deep.equal([1, 1]);
    expect(first.jwks[0]).to.include({ kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig' });
    expect(first.jwks[0]?.kid).to.match(/^[\w-]{16}$/);
    expect(first.cookieKeys[0]).to.match(/^[\w-]{43}$/);
    expect(await loadSigningKeys(services())).to.deep.equal(first);
  });

  it('are created once when several nodes start at the same time', async () => {
    await harness.sql('DELETE FROM signing_keys');
    const first = await harness.database.pool.connect();
    await first.query('SELECT pg_advisory_lock($1)', [KEYS_LOCK]);
    const ended: number[] = [];
    const loads = [0, 1].map((load) => loadSigningKeys(services()).finally(() => ended.push(load)));
    let waiting = 0;
    while (waiting < 2 && ended.length === 0) {
      const [row] = await harness.sql(
        `SELECT count(*)::int AS count FROM pg_locks JOIN pg_stat_activity USING (pid)
          WHERE locktype = 'advisory' AND NOT granted AND datname = current_database()`,
      );
      waiting = Number(row?.['count']);
    }
    await first.query('SELECT pg_advisory_unlock($1)', [KEYS_LOCK]);
    first.release();
    const [one, other] = await Promise.all(loads);
    expect(waiting).to.equal(2);
    expect(one).to.deep.equal(other);
    expect([await stored('sig'), await stored('cookie')].map(({ length }) => length)).to.deep.equal([1, 1]);
  });

  it('are listed without cookie keys: the key that signs first, then the newest', async () => {
    const [oldest] = await stored('sig');
    now += DAY_MS;
    const second = await rotateSigningKey(services());
    now += DAY_MS;
    const third = await rotateSigningKey(services());
    expect(await listSigningKeys(services())).to.deep.equal([second, third, oldest]);
    expect(await loaded()).to.deep.equal([second, third, oldest]);
    now += PUBLISHED_AHEAD_MS - 1;
    expect((await listSigningKeys(services()))[0], 'not shown for long enough').to.equal(second);
    now += 1;
    expect(await listSigningKeys(services())).to.deep.equal([third, second, oldest]);
  });

  it('sign with the oldest when none has been published for long enough', async () => {
    const [oldest] = await stored('sig');
    now += 1000;
    const younger = await rotateSigningKey(services());
    expect(await listSigningKeys(services())).to.deep.equal([oldest, younger]);
  });

  it('keep the others when one is revoked, and name the one that signs', async () => {
    const [oldest] = await stored('sig');
    now += DAY_MS;
    const second = await rotateSigningKey(services());
    now += DAY_MS;
    expect(await revokeSigningKey(services(), second)).to.equal(oldest);
    expect(await stored('sig')).to.deep.equal([oldest]);
    expect(await stored('cookie')).to.have.length(1);
  });

  it('are replaced by a new one when the only one is revoked', async () => {
    const [only] = await stored('sig');
    const signer = await revokeSigningKey(services(), only ?? '');
    expect(signer).to.not.equal(only);
    expect(await stored('sig')).to.deep.equal([signer]);
    expect(await loaded()).to.deep.equal([signer]);
  });

  it('are not revoked by an unknown id or the id of a cookie key', async () => {
    const [cookie] = await stored('cookie');
    const kept = await stored('sig');
    for (const id of ['nobody', cookie ?? '']) {
      expect(await revokeSigningKey(services(), id)).to.equal(undefined);
      expect([await stored('sig'), await stored('cookie')]).to.deep.equal([kept, [cookie]]);
    }
  });

  it('are not made under a SECRETS_KEY that opens none of them', async () => {
    const [only] = await stored('sig');
    const other = { ...services(), secrets: new SecretBox('another-secrets-key-of-32-characters') };
    for (const making of [rotateSigningKey(other), revokeSigningKey(other, only ?? '')])
      expect(await making.then(String, ({ message }: Error) => message)).to.contain('SECRETS_KEY');
    expect(await stored('sig')).to.deep.equal([only]);
    expect(await loaded()).to.deep.equal([only]);
  });

  it('are rotated when the newest is older than the given days', async () => {
    now += 90 * DAY_MS;
    expect(await rotateWhenDue(services(), 90)).to.equal(false);
    now += 1;
    expect(await rotateWhenDue(services(), 90)).to.equal(true);
    expect(await stored('sig')).to.have.length(2);
    expect(await rotateWhenDue(services(), 90), 'the newest counts').to.equal(false);
  });

  it('are not rotated when there is none', async () => {
    await harness.sql(`DELETE FROM signing_keys WHERE use = 'sig'`);
    now += 365 * DAY_MS;
    expect(await rotateWhenDue(services(), 90)).to.equal(false);
    expect(await listSigningKeys(services())).to.deep.equal([]);
    expect((await loadSigningKeys(services())).cookieKeys).to.have.length(1);
  });

  it('cannot sign when there is none', async () => {
    const keys = await loadSigningKeys(services());
    for (const jwks of [[], keys.jwks.map(({ kid: _kid, ...rest }) => rest)]) {
      const error = await signJws({ jwks, cookieKeys: [] }, 'test+jwt', {}).catch(
        (reason: unknown) => reason,
      );
      expect(error).to.be.instanceOf(Error).with.property('message', 'There is no signing key.');
    }
  });
});
