import { expect } from 'chai';
import { TestService } from '../support/TestService.js';

const ORIGIN = 'https://dashboard.partner.example';

describe('Requests from pages of other origins', () => {
  let service: TestService;

  before(async () => {
    service = await TestService.start();
  });

  after(() => service.stop());

  for (const path of ['/v1/customers', '/graphql', '/oauth/userinfo']) {
    it(`are allowed on ${path}, without credentials`, async () => {
      const response = await fetch(`${service.url}${path}`, {
        method: 'OPTIONS',
        headers: {
          origin: ORIGIN,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization,idempotency-key',
        },
      });
      expect(response.status).to.equal(204);
      expect(response.headers.get('access-control-allow-origin')).to.equal('*');
      expect(response.headers.get('access-control-allow-headers')?.toLowerCase()).to.contain(
        'idempotency-key',
      );
      expect(response.headers.get('access-control-allow-credentials')).to.equal(null);
    });
  }

  it('can read response headers, even of refusals', async () => {
    const response = await fetch(`${service.url}/v1/customers`, { headers: { origin: ORIGIN } });
    expect(response.status).to.equal(401);
    expect(response.headers.get('access-control-expose-headers')).to.contain('X-Request-Id');
    const headers = { origin: ORIGIN, authorization: 'Bearer wrong' };
    const userinfo = await fetch(`${service.url}/oauth/userinfo`, { headers });
    expect([userinfo.status, userinfo.headers.get('access-control-allow-origin')]).to.deep.equal([401, '*']);
  });

  const documents = [
    '/.well-known/oauth-protected-resource',
    '/.well-known/oauth-authorization-server',
    '/.well-known/openid-configuration',
    '/oauth/jwks',
  ];
  for (const path of documents)
    it(`can read ${path}, whatever headers they send, and change nothing there`, async () => {
      const url = service.url + path;
      const asked = { 'access-control-request-method': 'GET', 'access-control-request-headers': 'x-a,mcp-b' };
      const preflight = await fetch(url, { method: 'OPTIONS', headers: { origin: ORIGIN, ...asked } });
      expect(preflight.status).to.equal(204);
      expect(preflight.headers.get('access-control-allow-headers')).to.equal('x-a,mcp-b');
      expect(preflight.headers.get('access-control-allow-methods')).to.equal('GET');
      const answer = await fetch(url, { headers: { origin: ORIGIN } });
      expect(answer.status).to.equal(200);
      for (const { headers } of [preflight, answer]) {
        expect(headers.get('access-control-allow-origin')).to.be.oneOf(['*', ORIGIN]);
        expect(headers.get('access-control-allow-credentials')).to.equal(null);
      }
      expect((await fetch(url, { method: 'HEAD' })).status).to.equal(200);
      for (const method of ['OPTIONS', 'POST']) {
        const { status, headers } = await fetch(url, { method, headers: { origin: ORIGIN } });
        expect([status, headers.get('allow')]).to.deep.equal([405, 'GET, HEAD']);
      }
    });

  it('are allowed on the token endpoint from origins of redirect URIs of public clients', async () => {
    const { body } = await service.admin.rest('POST', '/v1/apps', {
      name: 'Browser app',
      client_type: 'public',
      redirect_uris: [`${ORIGIN}/callback`],
      allowed_scopes: ['profile:read'],
    });
    const origins = await Promise.all(
      [ORIGIN, 'https://elsewhere.example'].map((origin) => allowedOrigin(String(body.client_id), origin)),
    );
    expect(origins).to.deep.equal([ORIGIN, null]);
  });

  async function allowedOrigin(clientId: string, origin: string): Promise<string | null> {
    const response = await fetch(`${service.url}/oauth/token`, {
      method: 'POST',
      headers: { origin },
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: clientId,
        code: 'x',
        code_verifier: 'y'.repeat(43),
        redirect_uri: `${ORIGIN}/callback`,
      }),
    });
    return response.headers.get('access-control-allow-origin');
  }

  for (const path of ['/sign-in', '/.well-known', '/oauth/authorize', '/healthz', '//x/.well-known/y'])
    it(`are not allowed on ${path}`, async () => {
      const response = await fetch(`${service.url}${path}`, { headers: { origin: ORIGIN } });
      expect(response.headers.get('access-control-allow-origin')).to.equal(null);
    });
});
