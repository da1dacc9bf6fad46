import * as client from 'openid-client';
import { Browser } from './Browser.js';
import type { OauthHarness, TestApp } from './OauthHarness.js';
import { PASSWORD, REDIRECT_URI } from './OauthHarness.js';

export interface Obtained {
  accountId: string;
  email: string;
  tokens: Awaited<ReturnType<typeof client.authorizationCodeGrant>>;
}

let serial = 0;

/** Tokens of a new member of the app, who signed in and allowed it. */
export async function obtainTokens(harness: OauthHarness, app: TestApp, scope: string): Promise<Obtained> {
  const email = `member${(serial += 1)}@partner.example`;
  const accountId = await harness.addAccount(email, { [app.appId]: scope.split(' ') });
  const configuration = await client.discovery(new URL(harness.baseUrl), app.appId, app.secret, undefined, {
    execute: [client.allowInsecureRequests],
    algorithm: 'oauth2',
  });
  const pkceCodeVerifier = client.randomPKCECodeVerifier();
  const address = client.buildAuthorizationUrl(configuration, {
    redirect_uri: REDIRECT_URI,
    scope,
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  });
  const page = await new Browser(harness.baseUrl).open(address.href);
  const approval = await page.submit('/sign-in', { email, password: PASSWORD });
  const { away } = await approval.submit('/decide', { decision: 'allow' });
  if (away === undefined) throw new Error('The approval led nowhere.');
  return {
    accountId,
    email,
    tokens: await client.authorizationCodeGrant(configuration, away, { pkceCodeVerifier }),
  };
}
