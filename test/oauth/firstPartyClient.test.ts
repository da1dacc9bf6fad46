import { expect } from 'chai';
import * as client from 'openid-client';
import { SecretBox } from '../../src/domain/SecretBox.js';
import { atThisNode, firstPartyClient, isFirstPartySecret } from '../../src/oauth/firstPartyClient.js';
import {
  DASHBOARD,
  firstPartyCallback,
  firstPartyPageOf,
  GRAPHIQL,
} from '../../src/oauth/firstPartyPages.js';
import { errorCodeOf } from './errorCodeOf.js';
import { OauthHarness } from './OauthHarness.js';

describe('firstPartyClient', () => {
  let harness: OauthHarness;

  before(async () => {
    harness = await OauthHarness.open({ BASE_URL: 'https://consent.invalid' });
  });
  after(() => harness.close());

  it('authenticates at this node whatever the public address is', async () => {
    const { appId } = await harness.addApp({ allowedScopes: ['customers:read'] });
    const configuration = firstPartyClient(harness.node.services, appId, false);
    const tokens = await client.clientCredentialsGrant(configuration);
    expect(tokens.scope).to.equal('customers:read');
    const strangers = { ...harness.node.services, secrets: new SecretBox('s'.repeat(40)) };
    const forged = client.clientCredentialsGrant(firstPartyClient(strangers, appId, false));
    const error = await forged.catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(client.WWWAuthenticateChallengeError).with.property('status', 401);
  });

  it('has no secret for a public app', async () => {
    const { appId } = await harness.addApp({ clientType: 'public' });
    const asked = client.clientCredentialsGrant(firstPartyClient(harness.node.services, appId, true));
    expect(await errorCodeOf(asked)).to.equal('unauthorized_client');
  });

  it('knows its endpoints, expects the issuer in answers and accepts ID tokens of one algorithm', () => {
    const configuration = firstPartyClient(harness.node.services, 'app_1', false);
    expect(configuration.serverMetadata()).to.include({
      issuer: 'https://consent.invalid',
      authorization_endpoint: 'https://consent.invalid/oauth/authorize',
      token_endpoint: 'https://consent.invalid/oauth/token',
      authorization_response_iss_parameter_supported: true,
    });
    expect(configuration.clientMetadata()).to.include({
      client_id: 'app_1',
      id_token_signed_response_alg: 'ES256',
    });
  });

  it('uses plain HTTP when the public address does', async () => {
    const { appId } = await harness.addApp();
    const { services } = harness.node;
    const baseUrl = `http://${services.config.host}:${services.config.port}`;
    const plain = { ...services, config: { ...services.config, baseUrl } };
    const tokens = await client.clientCredentialsGrant(firstPartyClient(plain, appId, false));
    expect(tokens.access_token).to.be.a('string');
  });

  it('has a secret per app that only a node with the secrets key can compute', () => {
    const { secrets } = harness.node.services;
    const secret = secrets.mac('first-party-client', 'app_1');
    expect(isFirstPartySecret(secrets, 'app_1', secret)).to.equal(true);
    expect(isFirstPartySecret(secrets, 'app_2', secret)).to.equal(false);
    expect(isFirstPartySecret(secrets, 'app_1', secrets.mac('another purpose', 'app_1'))).to.equal(false);
    expect(isFirstPartySecret(new SecretBox('s'.repeat(40)), 'app_1', secret)).to.equal(false);
    expect(isFirstPartySecret(secrets, 'app_1', '')).to.equal(false);
  });

  it('reaches this node at the address that it listens on', () => {
    const at = (host: string, url = 'https://consent.invalid/oauth/token?a=b') =>
      atThisNode({ ...harness.node.config, host, port: 4000 }, url);
    expect(at('0.0.0.0')).to.equal('http://127.0.0.1:4000/oauth/token?a=b');
    expect(at('::')).to.equal('http://[::1]:4000/oauth/token?a=b');
    expect(at('::ffff:7f00:1')).to.equal('http://[::ffff:7f00:1]:4000/oauth/token?a=b');
    expect(at('10.0.0.7')).to.equal('http://10.0.0.7:4000/oauth/token?a=b');
    for (const foreign of ['https://consent.invalid.example/token', 'https://id.example/token'])
      expect(at('0.0.0.0', foreign)).to.equal(foreign);
  });

  it('recognizes exact callback addresses of its pages and no variants of them', () => {
    const base = 'https://consent.invalid';
    expect(firstPartyCallback(base, GRAPHIQL)).to.equal(`${base}/graphiql/callback`);
    expect(firstPartyPageOf(base, `${base}/graphiql/callback`)).to.equal(GRAPHIQL);
    expect(firstPartyPageOf(base, `${base}/dashboard/callback`)).to.equal(DASHBOARD);
    for (const uri of [
      `${base}/graphiql/callback/`,
      `${base}/graphiql/callback?x`,
      `${base}/callback`,
      'https://evil.example/graphiql/callback',
      '',
    ])
      expect(firstPartyPageOf(base, uri), uri).to.equal(undefined);
  });
});
