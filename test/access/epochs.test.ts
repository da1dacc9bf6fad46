import { expect } from 'chai';
import { acceptClaim } from '../support/acceptClaim.js';
import { claimBody, expectStatus, grant, makeCustomer, revoke } from '../support/records.js';
import type { Json, TestPartner } from '../support/TestPartner.js';
import { TestService } from '../support/TestService.js';

/** What `shown` gives when every way shows just these values. */
function everywhere(...values: string[]): Json {
  return { facts: values, factsOfAll: values, claims: values, nodes: values };
}

describe('Data that only the gate hides', () => {
  let service: TestService;
  let app: TestPartner;
  let customer: string;

  before(async () => {
    // Without background work nothing is erased: the gate alone must keep it back.
    service = await TestService.start({ ROLE: 'gateway' });
    app = await service.makeApp();
    customer = await makeCustomer(app);
    const receipt = await grant(app, customer, 'personalization');
    await acceptClaim(service, app, claimBody(customer, { value: 'before' }));
    expect(await shown()).to.deep.equal(everywhere('before'));
    await revoke(app, receipt);
    await grant(app, customer, 'personalization');
  });
  after(() => service.stop());

  async function shown(): Promise<Json> {
    const path = `/v1/profiles/${customer}`;
    const get = async (url: string): Promise<Json> => expectStatus(await app.rest('GET', url), 200);
    const { data } = await app.graphql('query ($id: ID!) { claims(customerId: $id) { nodes { value } } }', {
      id: customer,
    });
    const valuesOf = (items: Json[], member: string): unknown[] => items.map((item) => item[member]);
    return {
      facts: valuesOf((await get(`${path}?consent_purpose=personalization`)).facts, 'resolved_value'),
      factsOfAll: valuesOf((await get(path)).facts, 'resolved_value'),
      claims: valuesOf((await get(`${path}/claims`)).data, 'value'),
      nodes: valuesOf((data as Json).claims.nodes, 'value'),
    };
  }

  it('stays hidden after a new grant when its epoch has ended', async () => {
    expect(await service.sql('SELECT document FROM claims')).to.have.length(1);
    expect(await service.sql('SELECT document FROM facts')).to.have.length(1);
    expect(await shown()).to.deep.equal(everywhere());
  });

  it('is not merged with data of a new grant when its epoch has ended', async () => {
    await acceptClaim(service, app, claimBody(customer, { value: 'after' }));
    expect(await shown()).to.deep.equal(everywhere('after'));
  });

  it('is hidden from an app that may no longer use the purpose, with or without an argument', async () => {
    await service.sql('UPDATE apps SET allowed_mask = 0 WHERE app_id = $1', [app.appId]);
    const path = `/v1/profiles/${customer}`;
    expect((await app.rest('GET', `${path}?consent_purpose=personalization`)).status).to.equal(403);
    expect(expectStatus(await app.rest('GET', path), 200).facts).to.deep.equal([]);
    expect(expectStatus(await app.rest('GET', `${path}/claims`), 200).data).to.deep.equal([]);
  });
});
