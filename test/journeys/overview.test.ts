import { expect } from 'chai';
import { foldTallies } from '../../src/jobs/foldTallies.js';
import {
  claimBody,
  expectStatus,
  finished,
  grant,
  makeCustomer,
  revoke,
  sendClaims,
} from '../support/records.js';
import type { Json, TestPartner } from '../support/TestPartner.js';
import { TestService } from '../support/TestService.js';

const OVERVIEW = `query ($window: OverviewWindow) { overview(window: $window) {
  from to stepSeconds
  consent { customers purposes { purpose customers series { at count } } }
  facts { facts purposes { purpose facts buckets { from to facts } } }
  ingest { claims { accepted applied refused failed series { accepted } } events { accepted } }
  deliveries { delivered failed dropped pending activeEndpoints series { at } }
} }`;

/** Counted anew from the rows themselves. */
const TRUTH = `
  SELECT (SELECT count(*)::integer FROM customer_heads WHERE app_id = $1) AS customers,
         (SELECT coalesce(jsonb_object_agg(purpose, count), '{}') FROM (
            SELECT purpose, count(*) FROM customer_heads, generate_series(0, 6) AS purpose
             WHERE app_id = $1 AND (granted_mask >> purpose) & 1 = 1 GROUP BY purpose) c) AS consent,
         (SELECT coalesce(jsonb_object_agg(key, count), '{}') FROM (
            SELECT fact_tally_key(f.purpose, f.confidence, f.document) AS key, count(*) FROM facts f
              JOIN customer_heads h USING (app_id, customer_id)
             WHERE f.app_id = $1 AND is_live(h.granted_mask, h.epochs, f.purpose, f.epoch)
               GROUP BY 1) f) AS facts`;

const COUNTED = `
  WITH sums AS (
    SELECT measure, key, sum(amount)::integer AS amount
      FROM (SELECT measure, key, amount FROM tallies WHERE app_id = $1
            UNION ALL SELECT measure, key, amount FROM tally_changes WHERE app_id = $1) t
     GROUP BY 1, 2 HAVING sum(amount) <> 0)
  SELECT (SELECT coalesce(sum(amount), 0)::integer FROM sums WHERE measure = 'customers') AS customers,
         (SELECT coalesce(jsonb_object_agg(key, amount), '{}') FROM sums
           WHERE measure = 'consent') AS consent,
         (SELECT coalesce(jsonb_object_agg(key, amount), '{}') FROM sums WHERE measure = 'facts') AS facts`;

describe('the overview', () => {
  let service: TestService;
  let app: TestPartner;

  before(async () => {
    service = await TestService.start();
  });
  beforeEach(async () => {
    app = await service.makeApp();
  });
  after(() => service.stop());

  async function overview(as = app, window = 'DAYS_7'): Promise<Json> {
    const { data, errors } = await as.graphql(OVERVIEW, { window });
    expect(errors).to.deep.equal([]);
    return data.overview;
  }

  async function expectTruth(): Promise<void> {
    const [truth] = await service.sql(TRUTH, [app.appId]);
    const [counted] = await service.sql(COUNTED, [app.appId]);
    expect(counted).to.deep.equal(truth);
  }

  it('counts consents and facts before and after the fold, and none of a closed purpose', async () => {
    const customer = await makeCustomer(app);
    const receipt = await grant(app, customer, 'analytics', 'support');
    await grant(app, await makeCustomer(app), 'analytics');
    const claims = ['city', 'age'].map((attribute) =>
      claimBody(customer, { attribute, consent_purpose: 'analytics', confidence: 0.5 }),
    );
    await sendClaims(app, ...claims);
    for (const fold of [false, true]) {
      if (fold) await foldTallies(service.services);
      const { consent, facts, ingest } = await overview();
      expect(consent.customers).to.equal(2);
      expect(of(consent, 'ANALYTICS').customers).to.equal(2);
      expect(of(consent, 'ANALYTICS').series.at(-1).count).to.equal(2);
      expect(of(consent, 'SUPPORT').customers).to.equal(1);
      expect(of(facts, 'ANALYTICS').facts).to.equal(2);
      expect(
        of(facts, 'ANALYTICS')
          .buckets.map((bucket: Json) => bucket.facts)
          .reduce((a: number, b: number) => a + b),
      ).to.equal(2);
      expect(ingest.claims).to.include({ accepted: 2, applied: 2, refused: 0, failed: 0 });
    }
    await revoke(app, receipt, 'analytics');
    const withdrawn = await overview();
    expect(of(withdrawn.consent, 'ANALYTICS').customers).to.equal(1);
    expect(of(withdrawn.consent, 'SUPPORT').customers).to.equal(1);
    expect(of(withdrawn.facts, 'ANALYTICS').facts).to.equal(0);
  });

  it('agrees with the rows after grants, withdrawals, erasures and folds in any order', async () => {
    const customers = [await makeCustomer(app), await makeCustomer(app), await makeCustomer(app)];
    const [first = '', second = '', third = ''] = customers;
    const receipt = await grant(app, first, 'analytics', 'support');
    await grant(app, second, 'analytics');
    await grant(app, third, 'analytics');
    for (const customer of customers)
      await sendClaims(app, claimBody(customer, { consent_purpose: 'analytics' }));
    await sendClaims(app, claimBody(first, { consent_purpose: 'support' }));
    await expectTruth();
    const cascade = await revoke(app, receipt, 'analytics');
    await expectTruth();
    await finished(app, cascade);
    await expectTruth();
    await foldTallies(service.services);
    await grant(app, first, 'analytics');
    await sendClaims(app, claimBody(first, { consent_purpose: 'analytics', confidence: 0.2 }));
    await expectTruth();
    expectStatus(await app.rest('DELETE', `/v1/customers/${second}`), 204);
    await expectTruth();
    await foldTallies(service.services);
    await expectTruth();
    expect(of((await overview()).consent, 'ANALYTICS').customers).to.equal(2);
  });

  it('counts as dropped what was not sent when its customer was erased', async () => {
    const customer = await makeCustomer(app);
    const endpoint = { url: 'https://hooks.partner.invalid.example/in', enabled_events: ['consent.granted'] };
    expectStatus(await app.rest('POST', '/v1/webhook-endpoints', endpoint), 201);
    await grant(app, customer, 'analytics', 'support');
    await grant(app, await makeCustomer(app), 'analytics');
    while ((await overview()).deliveries.pending < 2) await new Promise((resolve) => setTimeout(resolve, 20));
    expectStatus(await app.rest('DELETE', `/v1/customers/${customer}`), 204);
    expect((await overview()).deliveries).to.include({ pending: 1, dropped: 1 });
    await foldTallies(service.services);
    expect((await overview()).deliveries).to.include({ pending: 1, dropped: 1 });
  });

  it('counts facts of a grant that follows a withdrawal before the old ones are erased', async () => {
    const customer = await makeCustomer(app);
    const receipt = await grant(app, customer, 'analytics');
    await sendClaims(app, claimBody(customer, { consent_purpose: 'analytics' }));
    await service.sql(`UPDATE customer_heads SET granted_mask = 0 WHERE app_id = $1`, [app.appId]);
    await expectTruth();
    await service.sql(
      `UPDATE customer_heads SET granted_mask = 4, epochs[3] = epochs[3] + 1 WHERE app_id = $1`,
      [app.appId],
    );
    await expectTruth();
    await sendClaims(app, claimBody(customer, { consent_purpose: 'analytics' }));
    await expectTruth();
    expect(of((await overview()).facts, 'ANALYTICS').facts).to.equal(1);
    await revoke(app, receipt);
    await expectTruth();
  });

  it('shows an app only its own numbers, and none of a purpose that it may not use', async () => {
    await grant(app, await makeCustomer(app), 'analytics', 'support');
    const stranger = await service.makeApp();
    expect((await overview(stranger)).consent.customers).to.equal(0);
    await service.admin.rest('PATCH', `/v1/apps/${app.appId}`, { allowed_consent_purposes: ['support'] });
    const { consent, facts } = await overview();
    for (const part of [consent, facts])
      expect(part.purposes.map((one: Json) => one.purpose)).to.deep.equal(['SUPPORT']);
  });

  it('requires for each part the scope of what it counts', async () => {
    const narrow = await service.narrowed(app, 'consent:read');
    const { data, errors } = await narrow.graphql(OVERVIEW, {});
    expect(data.overview.consent.customers).to.equal(0);
    expect(data.overview.facts).to.equal(null);
    expect(errors.map(({ path, extensions }) => [path?.at(-1), extensions['code']])).to.have.deep.members([
      ['facts', 'INSUFFICIENT_SCOPE'],
      ['ingest', 'INSUFFICIENT_SCOPE'],
      ['deliveries', 'INSUFFICIENT_SCOPE'],
    ]);
    const none = await service.narrowed(app, 'entries:read');
    expect((await none.graphql(OVERVIEW, {})).errors[0]?.extensions['code']).to.equal('INSUFFICIENT_SCOPE');
  });

  it('has the number of steps of its window, the last of which contains now', async () => {
    const expected = {
      HOURS_24: [24, 3600],
      DAYS_7: [28, 21_600],
      DAYS_30: [30, 86_400],
      DAYS_90: [90, 86_400],
    };
    for (const [window, [steps, seconds]] of Object.entries(expected)) {
      const seen = await overview(app, window);
      expect(seen.deliveries.series, window).to.have.length(steps ?? 0);
      expect(seen.stepSeconds).to.equal(seconds);
      expect(seen.deliveries.series[0].at).to.equal(seen.from);
      const last = Date.parse(seen.deliveries.series.at(-1).at);
      expect(Date.parse(seen.to) - last).to.be.within(0, (seconds ?? 0) * 1000);
    }
  });

  it('lists every decision of a customer with actor, receipt and reason', async () => {
    const customer = await makeCustomer(app);
    const receipt = await grant(app, customer, 'analytics', 'support');
    const body = { purposes: ['support'], reason: 'policy_change' };
    expectStatus(await app.rest('POST', `/v1/consent-receipts/${receipt}/revoke`, body), 202);
    await grant(app, await makeCustomer(app), 'support');
    const query = `query ($id: ID!) { customer(id: $id) { consentTimeline(first: 5) {
      nodes { action purposes receiptId reason decidedBy receipt { id status } } pageInfo { hasNextPage } } } }`;
    const { data } = await app.graphql(query, { id: customer });
    expect(data.customer.consentTimeline).to.deep.equal({
      nodes: [
        {
          action: 'REVOKED',
          purposes: ['SUPPORT'],
          receiptId: receipt,
          reason: 'POLICY_CHANGE',
          decidedBy: 'PARTNER',
          receipt: { id: receipt, status: 'PARTIALLY_REVOKED' },
        },
        {
          action: 'GRANTED',
          purposes: ['ANALYTICS', 'SUPPORT'],
          receiptId: receipt,
          reason: null,
          decidedBy: 'PARTNER',
          receipt: { id: receipt, status: 'PARTIALLY_REVOKED' },
        },
      ],
      pageInfo: { hasNextPage: false },
    });
  });

  it('lists the members of the app alone, with their scopes', async () => {
    await service.sql(
      `INSERT INTO accounts (account_id, email, email_verified, created_at, updated_at)
        VALUES ('acc_1', 'ada@partner.example', true, now(), now())`,
    );
    await service.sql(
      `INSERT INTO app_members (app_id, account_id, scopes, created_at, updated_at)
        VALUES ($1, 'acc_1', '{apps:read}', now(), now())`,
      [app.appId],
    );
    const query = '{ appMembers { nodes { accountId email scopes } } }';
    expect((await app.graphql(query)).data.appMembers.nodes).to.deep.equal([
      { accountId: 'acc_1', email: 'ada@partner.example', scopes: ['apps:read'] },
    ]);
    const stranger = await service.makeApp();
    expect((await stranger.graphql(query)).data.appMembers.nodes).to.deep.equal([]);
  });
});

function of(part: Json, purpose: string): Json {
  return part.purposes.find((one: Json) => one.purpose === purpose);
}
