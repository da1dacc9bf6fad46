import { ALL_SCOPES } from '../../src/domain/scopes.js';
import type { Scope } from '../../src/domain/scopes.js';
import { expectStatus } from './records.js';
import { TestPartner } from './TestPartner.js';

/** The administrative key of every test service. */
export const TEST_ADMIN_KEY = 'test-admin-key-0123456789';

export interface TestAppFields {
  name?: string;
  client_type?: 'public' | 'confidential';
  redirect_uris?: string[];
  allowed_scopes?: readonly Scope[];
  allowed_consent_purposes?: string[];
  webhook_default_url?: string;
}

/** The holder of the administrative key of the service at an address. */
export function administratorAt(url: string): TestPartner {
  return new TestPartner(url, { 'x-service-admin-key': TEST_ADMIN_KEY });
}

/** A new app of the service at an address, with a token of everything that it is allowed. */
export async function registerApp(url: string, fields: TestAppFields = {}): Promise<TestPartner> {
  const made = await administratorAt(url).rest('POST', '/v1/apps', {
    name: 'Harbour Books',
    redirect_uris: ['https://partner.example/callback'],
    allowed_scopes: ALL_SCOPES.filter((scope) => scope !== 'offline_access'),
    ...fields,
  });
  const { app_id: appId, client_secret: clientSecret = '' } = expectStatus(made, 201);
  const app = { appId, clientSecret };
  return new TestPartner(url, { authorization: `Bearer ${await fetchToken(url, app)}` }, app);
}

/** A fresh access token of the app: of the scopes named, else of all that it is allowed. */
export async function fetchToken(
  url: string,
  app: { appId: string; clientSecret: string },
  ...scopes: readonly Scope[]
): Promise<string> {
  const response = await fetch(`${url}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${app.appId}:${app.clientSecret}`)}` },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      ...(scopes.length > 0 ? { scope: scopes.join(' ') } : {}),
    }),
  });
  const body = (await response.json()) as { access_token?: string };
  if (body.access_token === undefined) throw new Error(`No token: ${JSON.stringify(body)}`);
  return body.access_token;
}
