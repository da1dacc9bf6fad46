import type { TestApp } from './OauthHarness.js';
import { REDIRECT_URI } from './OauthHarness.js';

/** Of RFC 7636, appendix B, like the challenge. */
export const CODE_VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';

/** Where a browser begins to authorize the app. */
export function authorizationAddress({ appId }: TestApp, parameters: Record<string, string> = {}): string {
  const all = {
    client_id: appId,
    redirect_uri: REDIRECT_URI,
    response_type: 'code',
    scope: 'customers:read',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    ...parameters,
  };
  return `/oauth/authorize?${new URLSearchParams(all).toString()}`;
}
