import { expect } from 'chai';
import { compactVerify, createRemoteJWKSet } from 'jose';
import { SecretBox } from '../../src/domain/SecretBox.js';
import { loadSigningKeys } from '../../src/oauth/signingKeys.js';
import { OauthWorld } from './oauthWorld.js';

describe('Signing keys', () => {
  let world: OauthWorld;

  before(async () => {
    world = await OauthWorld.open();
  });
  after(() => world.close());

  it('sign what everybody can verify from /oauth/jwks', async () => {
    const jws = await world.node.server.signJws({ receipt: 'rcp_1', purposes: ['analytics'] });
    const keys = createRemoteJWKSet(new URL(`${world.baseUrl}/oauth/jwks`));
    const { payload, protectedHeader } = await compactVerify(jws, keys);
    expect(JSON.parse(new TextDecoder().decode(payload))).to.deep.equal({ receipt: 'rcp_1', purposes: ['analytics'] });
    expect(protectedHeader.alg).to.equal('ES256');
  });

  it('are the same on every node, also when several start for the first time at once', async () => {
    await world.sql('DELETE FROM signing_keys');
    const loaded = await Promise.all(Array.from({ length: 6 }, () => loadSigningKeys(world.node.services)));
    for (const keys of loaded) expect(keys).to.deep.equal(loaded[0]);
    expect(await world.sql('SELECT use FROM signing_keys')).to.have.length(2);
  });

  it('are sealed in the database', async () => {
    const { jwks } = await loadSigningKeys(world.node.services);
    const dump = JSON.stringify(await world.sql('SELECT * FROM signing_keys'));
    expect(dump).to.not.include(jwks[0]?.d);
  });

  it('do not open under another SECRETS_KEY, and say so', async () => {
    const secrets = new SecretBox('another-secrets-key-of-32-characters!');
    const error = await loadSigningKeys({ ...world.node.services, secrets }).catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(Error).with.property('message').that.includes('SECRETS_KEY');
  });
});
