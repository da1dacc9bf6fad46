import { ALL_SCOPES } from '../../src/domain/scopes.js';
import { expectStatus } from './records.js';
import { TestPartner } from './TestPartner.js';
import { TEST_ADMIN_KEY } from './TestService.js';

/** A new app of the service at an address, with a token of everything. */
export async function registerApp(url: string): Promise<TestPartner> {
  const admin = new TestPartner(url, { 'x-service-admin-key': TEST_ADMIN_KEY });
  const made = await admin.rest('POST', '/v1/apps', {
    name: 'Harbour Books',
    redirect_uris: ['https://partner.example/callback'],
    allowed_scopes: ALL_SCOPES.filter((scope) => scope !== 'offline_access'),
  });
  const { app_id: appId, client_secret: clientSecret } = expectStatus(made, 201);
  const token = await fetch(`${url}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${appId}:${clientSecret}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  const { access_token: bearer } = (await token.json()) as { access_token: string };
  return new TestPartner(url, { authorization: `Bearer ${bearer}` }, { appId, clientSecret });
}
