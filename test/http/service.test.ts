import { expect } from 'chai';
import { startTestService } from '../support/startTestService.js';
import type { TestService } from '../support/startTestService.js';

describe('the running service', () => {
  let service: TestService;

  before(async () => (service = await startTestService()));
  after(() => service.stop());

  it('is up and ready', async () => {
    for (const path of ['/healthz', '/readyz']) {
      const { status } = await fetch(service.url + path);
      expect(status, path).to.equal(200);
    }
  });

  it('measures its requests', async () => {
    const text = await (await fetch(`${service.url}/metrics`)).text();
    expect(text).to.match(/^# TYPE /m);
  });

  it('serves one app through both doors', async () => {
    const partner = await service.registerPartner(['apps:read']);
    const rest = await partner.get(`/v1/apps/${partner.appId}`);
    expect(rest.status).to.equal(200);
    expect(rest.body)
      .to.include({ id: partner.appId, name: 'Acme Outfitters' })
      .and.not.to.have.property('client_secret');
    const graphql = await partner.graphql('query ($id: ID!) { app(id: $id) { id name } }', { id: partner.appId });
    expect(graphql.body).to.deep.equal({ data: { app: { id: partner.appId, name: 'Acme Outfitters' } } });
  });

  it('is one of several nodes over one database', async () => {
    const other = await startTestService({}, service.database);
    const partner = await service.registerPartner(['apps:read']);
    const elsewhere = await fetch(`${other.url}/v1/apps/${partner.appId}`, {
      headers: { authorization: `Bearer ${partner.token}` },
    });
    expect(elsewhere.status).to.equal(200);
    await other.stop();
  });
});
