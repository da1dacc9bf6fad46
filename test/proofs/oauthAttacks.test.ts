import { expect } from 'chai';
import * as client from 'openid-client';
import { Browser } from '../oauth/Browser.js';
import { obtainTokens } from '../oauth/obtainTokens.js';
import type { TestApp, TestNode } from '../oauth/OauthHarness.js';
import { OauthHarness, PASSWORD, REDIRECT_URI } from '../oauth/OauthHarness.js';
import { recordProof } from '../support/recordProof.js';
import { IN_PROOFS } from '../support/itInProofs.js';

const FAMILIES = IN_PROOFS ? 40 : 3;
const AT_ONCE = 50;

describe('The authorization server under attack', function () {
  if (IN_PROOFS) this.timeout(900_000);
  let harness: OauthHarness;
  let second: TestNode;

  before(async () => {
    harness = await OauthHarness.open();
    second = await harness.addNode();
  });
  after(() => harness.close());

  function refresh(node: TestNode, app: TestApp, token: string): Promise<Response> {
    return fetch(`${node.config.baseUrl}/oauth/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${app.appId}:${app.secret}`).toString('base64')}` },
      body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: token }),
    });
  }

  const isGood = async (token: string): Promise<boolean> =>
    (await second.server.verifier.verify(token)).kind === 'app';

  it(`gives at most one token for ${AT_ONCE} simultaneous uses of a refresh token`, async () => {
    let given = 0;
    let alive = 0;
    let inTurn = 0;
    for (let family = 0; family < FAMILIES; family += 1) {
      const app = await harness.addApp();
      const { tokens } = await obtainTokens(harness, app, 'customers:read offline_access');
      const answers = await Promise.all(
        Array.from({ length: AT_ONCE }, (_, index) =>
          refresh(index % 2 === 0 ? harness.node : second, app, tokens.refresh_token ?? ''),
        ),
      );
      const bodies = (await Promise.all(answers.map((answer) => answer.json()))) as Record<string, string>[];
      const issued = bodies.flatMap(({ access_token: token }) => (token === undefined ? [] : [token]));
      expect(answers.map(({ status }) => status).filter((status) => status >= 500)).to.deep.equal([]);
      given = Math.max(given, issued.length);
      for (const token of [tokens.access_token, ...issued]) if (await isGood(token)) alive += 1;
      for (const { refresh_token: token } of bodies)
        if (token !== undefined && (await refresh(second, app, token)).status === 200) alive += 1;
      // The control: used one after another, each once, a family lives.
      const kept = await harness.addApp();
      let { tokens: current } = await obtainTokens(harness, kept, 'customers:read offline_access');
      for (let use = 0; use < 3; use += 1) {
        const answer = await refresh(
          use % 2 === 0 ? second : harness.node,
          kept,
          current.refresh_token ?? '',
        );
        current = (await answer.json()) as typeof current;
        if (await isGood(current.access_token)) inTurn += 1;
      }
    }
    expect(given).to.be.at.most(1);
    expect(alive).to.equal(0);
    expect(inTurn).to.equal(3 * FAMILIES);
    recordProof({
      proof: 'oauthAttacks: a refresh token used at once',
      injected: `${AT_ONCE} uses of one refresh token at the same time, over two nodes`,
      times: FAMILIES,
      checked: 'at most one answer with a token, and nothing of the family is good afterwards',
      figure: `at most ${given} given, ${alive} alive`,
      broken: `used in turn, each once: ${inTurn} of ${3 * FAMILIES} good (the check sees living tokens)`,
    });
  });

  it('refuses a code for another client, redirect URI or verifier, and names its issuer', async () => {
    const [mine, theirs] = [await harness.addApp(), await harness.addApp()];
    const email = 'mixed-up@partner.example';
    await harness.addAccount(email, { [mine.appId]: ['customers:read'], [theirs.appId]: ['customers:read'] });
    const verifier = client.randomPKCECodeVerifier();
    const challenge = await client.calculatePKCECodeChallenge(verifier);
    const callback = async (app: TestApp): Promise<URL> => {
      const query = new URLSearchParams({
        client_id: app.appId,
        response_type: 'code',
        redirect_uri: REDIRECT_URI,
        scope: 'customers:read',
        state: 'kept',
        code_challenge: challenge,
        code_challenge_method: 'S256',
      });
      const page = await new Browser(harness.baseUrl).open(`/oauth/authorize?${query.toString()}`);
      const approval = await page.submit('/sign-in', { email, password: PASSWORD });
      const { away } = await approval.submit('/decide', { decision: 'allow' });
      return away ?? expect.fail('The approval led nowhere.');
    };
    const redeem = async (
      code: string,
      app: TestApp,
      change: Record<string, string> = {},
    ): Promise<string> => {
      const fields = {
        grant_type: 'authorization_code',
        code,
        redirect_uri: REDIRECT_URI,
        code_verifier: verifier,
      };
      const answer = await harness.post('/oauth/token', { ...fields, ...change }, app);
      const body = (await answer.json()) as { error?: string };
      return body.error ?? 'given';
    };
    const code = async (app: TestApp): Promise<string> =>
      (await callback(app)).searchParams.get('code') ?? '';
    expect(await redeem(await code(mine), theirs)).to.equal('invalid_grant');
    expect(await redeem(await code(mine), mine, { redirect_uri: `${REDIRECT_URI}/` })).to.equal(
      'invalid_grant',
    );
    expect(await redeem(await code(mine), mine, { code_verifier: client.randomPKCECodeVerifier() })).to.equal(
      'invalid_grant',
    );
    // RFC 9207: the answer says whose it is; a client that began at another server finds that out.
    const answer = await callback(mine);
    expect(answer.searchParams.get('iss')).to.equal(harness.baseUrl);
    const elsewhere = new client.Configuration(
      {
        issuer: 'https://another.example',
        token_endpoint: `${harness.baseUrl}/oauth/token`,
        authorization_response_iss_parameter_supported: true,
      },
      mine.appId,
      mine.secret,
    );
    client.allowInsecureRequests(elsewhere);
    const mixed = client.authorizationCodeGrant(elsewhere, answer, {
      pkceCodeVerifier: verifier,
      expectedState: 'kept',
    });
    expect(await mixed.then(String, (error: Error) => (error.cause as Error).message)).to.match(/iss/);
    expect(await redeem(await code(mine), mine), 'the control').to.equal('given');
    recordProof({
      proof: 'oauthAttacks: codes in wrong hands',
      injected:
        "a code at another client, with another redirect URI, with another verifier, under another server's name",
      times: 4,
      checked: 'invalid_grant; the client sees the wrong issuer',
      figure: '0 tokens given',
      broken: 'the same code in the right hands is given a token',
    });
  });

  it('redirects to no variant of a registered redirect URI', async () => {
    const app = await harness.addApp();
    const url = new URL(REDIRECT_URI);
    const { host, pathname } = url;
    const variants = [
      `${REDIRECT_URI}/`,
      `${REDIRECT_URI}?`,
      `${REDIRECT_URI}#`,
      `${REDIRECT_URI}?a=b`,
      `${REDIRECT_URI}#fragment`,
      `${REDIRECT_URI}%20`,
      `${REDIRECT_URI};x`,
      `${REDIRECT_URI}/../callback`,
      `${REDIRECT_URI}/%2e%2e/callback`,
      `${REDIRECT_URI}%00`,
      `http://${host}${pathname}`,
      `HTTPS://${host}${pathname}`,
      `https://${host.toUpperCase()}${pathname}`,
      `https://${host}:443${pathname}`,
      `https://${host}:8443${pathname}`,
      `https://${host}.${pathname}`,
      `https://${host}.evil.example${pathname}`,
      `https://evil.example/${host}${pathname}`,
      `https://evil.example#${host}${pathname}`,
      `https://${host}@evil.example${pathname}`,
      `https://evil.example\\@${host}${pathname}`,
      `https://evil.example%2f@${host}${pathname}`,
      `https://sub.${host}${pathname}`,
      `https://${host}/other`,
      `https://${host}/./callback`,
      `https://${host}//callback`,
      `https://${host}${pathname.toUpperCase()}`,
      `//${host}${pathname}`,
      `/callback`,
      `javascript:alert(1)//${REDIRECT_URI}`,
      `data:text/html,${REDIRECT_URI}`,
      'https://*/callback',
      '',
    ].filter((uri) => uri !== REDIRECT_URI);
    const led = async (uri: string): Promise<boolean> => {
      const query = new URLSearchParams({
        client_id: app.appId,
        response_type: 'code',
        redirect_uri: uri,
        scope: 'nonsense',
        code_challenge: 'x'.repeat(43),
        code_challenge_method: 'S256',
      });
      const answer = await fetch(`${harness.baseUrl}/oauth/authorize?${query.toString()}`, {
        redirect: 'manual',
      });
      expect(answer.status, uri).to.be.below(500);
      const location = answer.headers.get('location');
      return location !== null && new URL(location, harness.baseUrl).origin !== harness.baseUrl;
    };
    const found: string[] = [];
    for (const uri of variants) if (await led(uri)) found.push(uri);
    expect(found).to.deep.equal([]);
    expect(await led(REDIRECT_URI), 'the control').to.equal(true);
    recordProof({
      proof: 'oauthAttacks: redirect URIs',
      injected: 'variants of a registered redirect URI in an erroneous request',
      times: variants.length,
      checked: 'nobody is led there',
      figure: '0 led',
      broken: 'the registered one itself is led to, with the error',
    });
  });
});
