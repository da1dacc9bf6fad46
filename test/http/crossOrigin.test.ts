import { expect } from 'chai';
import { TestService } from '../support/TestService.js';

const ORIGIN = 'https://dashboard.partner.example';

describe('calls from pages of other origins', () => {
  let service: TestService;

  before(async () => {
    service = await TestService.start();
  });

  after(() => service.stop());

  for (const path of ['/v1/customers', '/graphql']) {
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
      expect(response.headers.get('access-control-allow-headers')?.toLowerCase()).to.contain('idempotency-key');
      expect(response.headers.get('access-control-allow-credentials')).to.equal(null);
    });
  }

  it('see the headers they need, of refusals too', async () => {
    const response = await fetch(`${service.url}/v1/customers`, { headers: { origin: ORIGIN } });
    expect(response.status).to.equal(401);
    expect(response.headers.get('access-control-expose-headers')).to.contain('X-Request-Id');
  });

  it('are not allowed on pages with cookies', async () => {
    const response = await fetch(`${service.url}/sign-in`, { headers: { origin: ORIGIN } });
    expect(response.headers.get('access-control-allow-origin')).to.equal(null);
  });
});
