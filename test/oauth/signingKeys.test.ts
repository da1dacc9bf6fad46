import { expect } from 'chai';
import { compactVerify, createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { SecretBox } from '../../src/domain/SecretBox.js';
import {
  listSigningKeys,
  loadSigningKeys,
  PUBLISHED_AHEAD_MS,
  revokeSigningKey,
  rotateSigningKey,
  rotateWhenDue,
} from '../../src/oauth/signingKeys.js';
import { obtainTokens } from './obtainTokens.js';
import type { TestNode } from './OauthHarness.js';
import { OauthHarness } from './OauthHarness.js';

describe('Signing keys', () => {
  let harness: OauthHarness;

  before(async () => {
    harness = await OauthHarness.open();
  });
  after(() => harness.close());

  it('sign tokens that verify with the keys of /oauth/jwks', async () => {
    const jws = await harness.node.server.signJws('test+jwt', { receipt: 'rcp_1', purposes: ['analytics'] });
    const keys = createRemoteJWKSet(new URL(`${harness.baseUrl}/oauth/jwks`));
    const { payload, protectedHeader } = await compactVerify(jws, keys);
    expect(JSON.parse(new TextDecoder().decode(payload))).to.deep.equal({
      receipt: 'rcp_1',
      purposes: ['analytics'],
    });
    expect(protectedHeader).to.include({ alg: 'ES256', typ: 'test+jwt' });
  });

  it('are the same on every node when several start for the first time at once', async () => {
    await harness.sql('DELETE FROM signing_keys');
    const loaded = await Promise.all(Array.from({ length: 6 }, () => loadSigningKeys(harness.node.services)));
    for (const keys of loaded) expect(keys).to.deep.equal(loaded[0]);
    expect(await harness.sql('SELECT use FROM signing_keys')).to.have.length(2);
  });

  it('are rotated under load without a signature that a published key does not verify', async () => {
    const second = await harness.addNode();
    const nodes = [harness.node, second];
    await harness.node.server.reloadKeys();
    const jwks = (node: TestNode) =>
      createRemoteJWKSet(new URL(`${node.config.baseUrl}/oauth/jwks`), { cooldownDuration: 0 });
    const kidsAt = async (node: TestNode): Promise<string[]> => {
      const { keys } = (await (await fetch(`${node.config.baseUrl}/oauth/jwks`)).json()) as {
        keys: { kid: string; d?: string }[];
      };
      expect(keys.every(({ d }) => d === undefined)).to.equal(true);
      return keys.map(({ kid }) => kid);
    };
    const signedBy = async (node: TestNode): Promise<string> => {
      const jws = await node.server.signJws('test+jwt', { receipt: 'rcp_1' });
      // Whoever asked the other node for the keys can verify it.
      const { protectedHeader } = await compactVerify(jws, jwks(node === second ? harness.node : second));
      signed.push(jws);
      return protectedHeader.kid ?? '';
    };
    const signed: string[] = [];
    const old = await signedBy(harness.node);
    const load = { turning: true, rounds: 0 };
    const signing = Promise.all(
      nodes.map(async (node) => {
        for (; load.turning; load.rounds += 1) await signedBy(node);
      }),
    );
    const fresh = await rotateSigningKey(harness.node.services);
    for (const node of nodes) await node.server.reloadKeys();
    for (const node of nodes) {
      expect(await kidsAt(node)).to.include.members([old, fresh]);
      expect(await signedBy(node)).to.equal(old);
    }
    await harness.sql(
      `UPDATE signing_keys SET created_at = created_at - make_interval(secs => $2) WHERE key_id = $1`,
      [fresh, PUBLISHED_AHEAD_MS / 1000],
    );
    for (const node of nodes) await node.server.reloadKeys();
    for (const node of nodes) expect(await signedBy(node)).to.equal(fresh);
    load.turning = false;
    await signing;
    expect(load.rounds).to.be.greaterThan(0);
    for (const jws of signed) await compactVerify(jws, jwks(second));
  });

  it('are rotated once for all nodes when they are old', async () => {
    const count = async (): Promise<number> =>
      (await harness.sql(`SELECT key_id FROM signing_keys WHERE use = 'sig'`)).length;
    const before = await count();
    const turn = (): Promise<boolean[]> =>
      Promise.all(Array.from({ length: 5 }, () => rotateWhenDue(harness.node.services, 90)));
    expect(await turn()).to.deep.equal([false, false, false, false, false]);
    await harness.sql(`UPDATE signing_keys SET created_at = created_at - interval '91 days'`);
    expect((await turn()).filter(Boolean)).to.have.length(1);
    expect(await count()).to.equal(before + 1);
  });

  describe('in ID tokens', () => {
    const jwksAt = (node: TestNode) =>
      createRemoteJWKSet(new URL(`${node.config.baseUrl}/oauth/jwks`), { cooldownDuration: 0 });
    const kidsAt = async (node: TestNode): Promise<string[]> => {
      const answer = await fetch(`${node.config.baseUrl}/oauth/jwks`);
      return ((await answer.json()) as { keys: { kid: string }[] }).keys.map(({ kid }) => kid);
    };
    const kidOf = (token: string): string => decodeProtectedHeader(token).kid ?? '';

    async function idToken(): Promise<{ token: string; audience: string }> {
      const app = await harness.addApp();
      const { tokens } = await obtainTokens(harness, app, 'openid customers:read');
      return { token: tokens.id_token ?? '', audience: app.appId };
    }

    /** Verifies as a client does that asks the node for the keys. */
    async function verifyAt(
      node: TestNode,
      { token, audience }: { token: string; audience: string },
    ): Promise<string> {
      try {
        const { payload } = await jwtVerify(token, jwksAt(node), { issuer: harness.baseUrl, audience });
        return payload.sub === undefined ? 'nobody' : 'good';
      } catch (error) {
        return (error as { code: string }).code;
      }
    }

    /** Lets the key have been shown for long enough. */
    async function age(kid: string): Promise<void> {
      await harness.sql(
        'UPDATE signing_keys SET created_at = created_at - make_interval(secs => $2) WHERE key_id = $1',
        [kid, PUBLISHED_AHEAD_MS / 1000],
      );
    }

    it('stay valid after a rotation at every node and become invalid when their key is revoked', async () => {
      const second = await harness.addNode();
      const first = await idToken();
      const fresh = await rotateSigningKey(harness.node.services);
      await age(fresh);
      for (const node of [harness.node, second]) await node.server.reloadKeys();
      const later = await idToken();
      expect(kidOf(later.token)).to.equal(fresh).and.to.not.equal(kidOf(first.token));
      for (const node of [harness.node, second])
        for (const token of [first, later]) expect(await verifyAt(node, token)).to.equal('good');
      const leaked = kidOf(first.token);
      expect(await revokeSigningKey(second.services, leaked)).to.equal(fresh);
      // Both processes are told; nobody reloads by hand.
      for (const node of [harness.node, second]) while ((await kidsAt(node)).includes(leaked));
      for (const node of [harness.node, second]) {
        expect(await verifyAt(node, first)).to.equal('ERR_JWKS_NO_MATCHING_KEY');
        expect(await verifyAt(node, later)).to.equal('good');
      }
      expect(JSON.stringify(await harness.sql('SELECT * FROM signing_keys'))).to.not.include(leaked);
    });

    it('are signed by a new key as soon as all keys are revoked', async () => {
      const before = await idToken();
      const kids = await listSigningKeys(harness.node.services);
      expect(kids[0]).to.equal(kidOf(before.token));
      for (const kid of kids) await revokeSigningKey(harness.node.services, kid);
      for (const kid of kids) while ((await kidsAt(harness.node)).includes(kid));
      const after = await idToken();
      expect(kids).to.not.include(kidOf(after.token));
      expect(await verifyAt(harness.node, after)).to.equal('good');
      expect(await verifyAt(harness.node, before)).to.equal('ERR_JWKS_NO_MATCHING_KEY');
      expect(await revokeSigningKey(harness.node.services, 'nobody')).to.equal(undefined);
    });
  });

  it('are encrypted in the database', async () => {
    const { jwks } = await loadSigningKeys(harness.node.services);
    const dump = JSON.stringify(await harness.sql('SELECT * FROM signing_keys'));
    expect(dump).to.not.include(jwks[0]?.d);
  });

  it('cannot be decrypted with another SECRETS_KEY, and the error names it', async () => {
    const secrets = new SecretBox('another-secrets-key-of-32-characters!');
    const error = await loadSigningKeys({ ...harness.node.services, secrets }).catch(
      (reason: unknown) => reason,
    );
    expect(error).to.be.instanceOf(Error).with.property('message').that.includes('SECRETS_KEY');
  });
});
