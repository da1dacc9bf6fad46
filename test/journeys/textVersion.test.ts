import { expect } from 'chai';
import { claimBody, expectStatus, grant, makeCustomer, sendClaims } from '../support/records.js';
import type { TestPartner } from '../support/TestPartner.js';
import { TestService } from '../support/TestService.js';

const QUERY = `query ($id: ID!) {
  resolvedProfile(customerId: $id) { facts {
    attribute evidence { context provenance { evidenceUrl sourceSystem } } } }
  claims(customerId: $id) { nodes { context source provenance { evidenceUrl sourceSystem } } }
}`;

/** The text of a release that did not know `context` and `evidenceUrl` yet. */
const OLDER = `regexp_replace(regexp_replace(document, '"context":[^,]*,', '', 'g'), ',"evidenceUrl":[^}]*', '', 'g')`;

describe('A row with text of an earlier version', () => {
  let service: TestService;
  let app: TestPartner;
  let customer: string;

  before(async () => {
    service = await TestService.start();
    app = await service.makeApp();
    customer = await makeCustomer(app);
    await grant(app, customer, 'personalization');
    const provenance = {
      source_partner: 'Harbour Books',
      source_system: 'till 4',
      collected_at: '2026-01-02T03:04:05.000Z',
      evidence_url: 'https://evidence.example/1',
    };
    await sendClaims(app, claimBody(customer, { context: 'at the till', provenance }));
    for (const table of ['claims', 'facts'])
      await service.sql(`UPDATE ${table} SET text_version = 0, document = ${OLDER}`);
    const [{ document }] = (await service.sql('SELECT document FROM claims')) as [{ document: string }];
    expect(document).to.not.include('evidenceUrl').and.not.include('context');
  });
  after(() => service.stop());

  it('is converted over REST and GraphQL with null for missing members', async () => {
    const { data, errors } = await app.graphql(QUERY, { id: customer });
    expect(errors).to.deep.equal([]);
    const lacking = { context: null, provenance: { evidenceUrl: null, sourceSystem: 'till 4' } };
    expect(data.resolvedProfile.facts).to.deep.equal([{ attribute: 'favourite_genre', evidence: [lacking] }]);
    expect(data.claims.nodes).to.deep.equal([{ source: 'till', ...lacking }]);
    const profile = expectStatus(await app.rest('GET', `/v1/profiles/${customer}`), 200);
    const [{ evidence }] = profile.facts as [{ evidence: [Record<string, unknown>] }];
    expect(evidence[0]).to.include({ source: 'till', consent_purpose: 'personalization' });
    expect(evidence[0]).to.not.have.property('context');
    const claims = expectStatus(await app.rest('GET', `/v1/profiles/${customer}/claims`), 200);
    expect(claims.data[0]).to.include({ source: 'till' }).and.not.have.property('context');
  });

  it('is answered together with rows of this version and rewritten when it is touched', async () => {
    await sendClaims(app, claimBody(customer, { attribute: 'city', value: 'Bergen' }));
    await sendClaims(app, claimBody(customer, { source: 'survey' }));
    const versions = await service.sql('SELECT attribute, text_version FROM facts ORDER BY attribute');
    expect(versions).to.deep.equal([
      { attribute: 'city', text_version: 1 },
      { attribute: 'favourite_genre', text_version: 1 },
    ]);
    const kept = await service.sql('SELECT source, text_version FROM claims ORDER BY sequence');
    expect(kept).to.deep.equal([
      { source: 'till', text_version: 0 },
      { source: 'till', text_version: 1 },
      { source: 'survey', text_version: 1 },
    ]);
    const { data } = await app.graphql(QUERY, { id: customer });
    expect(data.claims.nodes.map(({ source }: { source: string }) => source)).to.deep.equal([
      'survey',
      'till',
      'till',
    ]);
    const genre = data.resolvedProfile.facts.find(
      ({ attribute }: { attribute: string }) => attribute !== 'city',
    );
    expect(genre.evidence.map(({ context }: { context: string | null }) => context)).to.include(
      'at the till',
    );
  });
});
