import { expect } from 'chai';
import pg from 'pg';
import { ingestClaims } from '../../src/commands/ingestClaims.js';
import { latestPerSource } from '../../src/domain/resolution/latestPerSource.js';
import { drainCustomer } from '../../src/jobs/drainCustomer.js';
import { LATEST_PER_SOURCE } from '../../src/jobs/resolveFacts.js';
import type { IngestClaimInput } from '../../schema/inputs/ClaimInput.js';
import { createTestDatabase } from '../support/database.js';
import type { TestDatabase } from '../support/database.js';
import { IngestFixture } from '../support/IngestFixture.js';
import { planNodes } from '../support/planNodes.js';
import type { Explained } from '../support/planNodes.js';

const REPEATED = 3000;

/** Copies of the app's claims with earlier moments, under sequences that are free. */
const EARLIER = `
  INSERT INTO claims (app_id, customer_id, sequence, claim_id, purpose, epoch, attribute, value, source,
    observed_at, confidence, provenance, document)
  SELECT app_id, customer_id, n * 1000 + sequence, claim_id || '_' || n, purpose, epoch, attribute, value, source,
         observed_at - n * interval '1 minute', confidence, provenance, document
    FROM claims, generate_series(1, ${REPEATED}) AS n WHERE app_id = $1`;

interface Fact {
  attribute: string;
  document: string;
}

describe('The claims that a fact is resolved from', () => {
  let test: TestDatabase;
  let fixture: IngestFixture;
  let customer: string;

  beforeEach(async () => {
    test = await createTestDatabase();
    fixture = new IngestFixture(test.serviceUrl);
    await fixture.prepare();
    customer = (await fixture.addCustomer('personalization')).id;
  });
  afterEach(async () => {
    await fixture.close();
    await test.drop();
  });

  async function apply(claims: IngestClaimInput[]): Promise<void> {
    await fixture.command((tx, context) => ingestClaims(tx, context, { claims }));
    while ((await drainCustomer(fixture.services, fixture.appId, customer)) === 'more');
  }

  /** Expects each fact to have the values that the domain takes of the claims. @returns their attributes */
  async function expectLatest(claims: readonly IngestClaimInput[]): Promise<string[]> {
    const facts = await fixture.rows<Fact>('SELECT attribute, document FROM facts WHERE app_id = $1');
    for (const { attribute, document } of facts) {
      const own = claims.flatMap((claim, sequence) =>
        claim.attribute === attribute ? [{ ...claim, id: '', sequence }] : [],
      );
      const expected = latestPerSource(own, 500).map(({ value }) => value);
      const { evidence, alternatives, resolvedValue } = JSON.parse(document) as {
        evidence: unknown[];
        alternatives: { value: unknown }[];
        resolvedValue: unknown;
      };
      expect(evidence).not.to.deep.equal([]);
      const values = [resolvedValue, ...alternatives.map(({ value }) => value)];
      expect(values).to.have.members([...new Set(expected)]);
    }
    return facts.map(({ attribute }) => attribute);
  }

  it("are each source's latest, in whatever order they came", async () => {
    const sources = ['z', 'a', 'a b', 'Ä', '_'];
    const claims = Array.from({ length: 90 }, (_, index) =>
      fixture.claim(customer, {
        attribute: index % 2 === 0 ? 'home.city' : 'home.country',
        source: sources[(index * 7) % sources.length] ?? '',
        value: `value ${index}`,
        // Several of a source at the same moment: the last that was accepted counts.
        observedAt: `2026-01-${String(1 + ((index * 11) % 17)).padStart(2, '0')}T00:00:00.000Z`,
      }),
    );
    for (let start = 0; start < claims.length; start += 30) await apply(claims.slice(start, start + 30));
    expect(await expectLatest(claims)).to.have.members(['home.city', 'home.country']);
  });

  it('are those of the 500 that came last, if more sources have one moment', async () => {
    // The order of code points is not that of UTF-16 code units, nor that of a language.
    const others = ['\u{1F600}', '\uFF5E', 'Ä', 'z', 'a'];
    const names = [
      ...others.slice(0, 3),
      ...Array.from({ length: 496 }, (_, n) => `s${n}`),
      ...others.slice(3),
    ];
    const claims = names.map((source) =>
      fixture.claim(customer, { source, value: others.includes(source) ? source : 'same' }),
    );
    for (let start = 0; start < claims.length; start += 101) await apply(claims.slice(start, start + 101));
    expect(await expectLatest(claims)).to.have.length(1);
  });

  it('are found without reading those before them', async () => {
    await apply(['a', 'b', 'c'].map((source) => fixture.claim(customer, { source })));
    const [fact] = await fixture.rows('SELECT purpose, attribute, epoch FROM facts WHERE app_id = $1');
    const key = [customer, fact?.['purpose'], fact?.['attribute'], fact?.['epoch']].map((value) => [value]);
    const owner = new pg.Client({ connectionString: test.ownerUrl });
    await owner.connect();
    await owner.query(`SET session_replication_role = 'replica'`);
    await owner.query(EARLIER, [fixture.appId]);
    await owner.end();
    const plan = await fixture.services.database.transaction(
      fixture.appId,
      (tx) =>
        tx.query<Explained>(`EXPLAIN (ANALYZE, FORMAT JSON) ${LATEST_PER_SOURCE}`, [fixture.appId, ...key]),
      { byKeys: true },
    );
    const read = planNodes(plan).filter((node) => node['Relation Name'] === 'claims');
    const rows = read.map((node) => node['Actual Rows'] * node['Actual Loops']);
    // PostgreSQL tells rounded means of its loops.
    expect(rows.reduce((sum, each) => sum + each, 0)).to.be.within(3, 6);
  });
});
