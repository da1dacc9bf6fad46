import { expect } from 'chai';
import { TestService } from '../support/TestService.js';

describe('the running service', () => {
  let service: TestService;

  before(async () => {
    service = await TestService.start();
  });

  after(() => service.stop());

  it('answers health and readiness checks', async () => {
    for (const path of ['/healthz', '/readyz']) {
      const { status } = await service.nobody.rest('GET', path);
      expect(status, path).to.equal(200);
    }
  });

  it('counts its requests in metrics', async () => {
    const text = await (await fetch(`${service.url}/metrics`)).text();
    expect(text).to.match(/^# TYPE /m);
  });

  it('serves one app through both doors', async () => {
    const partner = await service.makeApp('apps:read');
    const rest = await partner.rest('GET', `/v1/apps/${partner.appId}`);
    expect(rest.status).to.equal(200);
    expect(rest.body)
      .to.include({ id: partner.appId, name: 'Harbour Books' })
      .and.not.to.have.property('client_secret');
    const { data } = await partner.graphql('query ($id: ID!) { app(id: $id) { id name } }', {
      id: partner.appId,
    });
    expect(data).to.deep.equal({ app: { id: partner.appId, name: 'Harbour Books' } });
  });

  it('is one of several nodes over one database', async () => {
    const other = await service.addNode();
    const partner = await service.makeApp('apps:read');
    const elsewhere = await partner.at(other).rest('GET', `/v1/apps/${partner.appId}`);
    expect(elsewhere.status).to.equal(200);
  });
});
