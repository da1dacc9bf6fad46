import { expect } from 'chai';
import { stepsOf } from '../../src/domain/overview/overviewWindow.js';
import { loadDeliveryOverview } from '../../src/loaders/loadDeliveryOverview.js';
import {
  loadConsentOverview,
  loadFactsOverview,
  loadIngestOverview,
  loadRequestOverview,
} from '../../src/loaders/loadOverview.js';
import { APP, LoaderFixture, OTHER_APP } from '../support/LoaderFixture.js';
import type { FixtureRow } from '../support/LoaderFixture.js';

const STEPS = stepsOf('hours_24', new Date('2026-03-02T12:30:00.000Z'));
const FIRST = '2026-03-01T13:00:00.000Z';
const LAST = '2026-03-02T12:00:00.000Z';
const BEFORE = '2026-03-01T12:00:00.000Z';
const NONE = -1;
const ANALYTICS = 2;
const SUPPORT = 3;

const tally = (measure: string, hour: string, amount: number, key = NONE): FixtureRow => ({
  measure,
  hour,
  key,
  amount,
});

/** What each series has at the step of a time. */
const at = <T extends { at: string }>(series: readonly T[], time: string): T | undefined =>
  series.find((step) => step.at === time);

describe('The overview of an app', () => {
  let fixture: LoaderFixture;

  before(async () => {
    fixture = await LoaderFixture.start();
    await fixture.sql(`UPDATE apps SET allowed_mask = 8 WHERE app_id = '${APP}'`);
    const flows = ['event', 'claim'].flatMap((kind, place) =>
      ['accepted', 'applied', 'refused', 'failed'].flatMap((outcome, index) => [
        tally(`${kind}_${outcome}`, FIRST, 10 * (place + 1) + index),
        tally(`${kind}_${outcome}`, LAST, 1),
        tally(`${kind}_${outcome}`, BEFORE, 100),
      ]),
    );
    const deliveries = ['delivered', 'failed', 'dropped'].map((end, index) =>
      tally(`delivery_${end}`, LAST, index + 2),
    );
    await fixture.insert('tallies', [
      tally('customers', BEFORE, 4),
      tally('customers', FIRST, 2),
      tally('consent', BEFORE, 3, SUPPORT),
      tally('consent', FIRST, -1, SUPPORT),
      tally('consent', LAST, 5, SUPPORT),
      tally('consent', LAST, 9, ANALYTICS),
      tally('facts', BEFORE, 7, SUPPORT * 10),
      tally('facts', LAST, 2, SUPPORT * 10 + 9),
      tally('facts', LAST, 1, ANALYTICS * 10),
      ...flows,
      ...deliveries,
      tally('request', LAST, 3, 0),
      tally('request', FIRST, 1, 80),
      tally('request', BEFORE, 50, 1),
      tally('request_refused', LAST, 2),
      tally('request_failed', FIRST, 1),
    ]);
    await fixture.insert('tallies', [{ ...tally('customers', FIRST, 1000), app_id: OTHER_APP }]);
    const changed_at = '2026-03-02T12:29:00.000Z';
    await fixture.insert('tally_changes', [
      { change_id: 1, measure: 'customers', key: NONE, amount: 1, changed_at },
      { change_id: 2, measure: 'request_refused', key: NONE, amount: 1, changed_at },
    ]);
  });
  after(() => fixture?.stop());

  it("counts customers and consents of the app's purposes, even before the window", async () => {
    const { customers, purposes } = await loadConsentOverview(fixture.context(), STEPS);
    expect(customers).to.equal(7);
    expect(purposes.map(({ purpose, customers: count }) => [purpose, count])).to.deep.equal([['support', 7]]);
    const [{ series } = { series: [] }] = purposes;
    expect(series.map(({ at: time }) => time)).to.deep.equal(STEPS.starts);
    expect(series.map(({ count }) => count)).to.deep.equal([...STEPS.starts.slice(1).map(() => 2), 7]);
  });

  it('counts facts by tenths of confidence', async () => {
    const { facts, purposes } = await loadFactsOverview(fixture.context(), STEPS);
    const buckets = Array.from({ length: 10 }, (_, tenth) => ({
      from: tenth / 10,
      to: (tenth + 1) / 10,
      facts: { 0: 7, 9: 2 }[tenth] ?? 0,
    }));
    expect(purposes).to.deep.equal([{ purpose: 'support', facts: 9, buckets }]);
    expect(facts).to.equal(9);
    await fixture.sql(`UPDATE apps SET allowed_mask = 12 WHERE app_id = '${APP}'`);
    expect(await loadFactsOverview(fixture.context(), STEPS)).to.include({ facts: 10 });
    await fixture.sql(`UPDATE apps SET allowed_mask = 8 WHERE app_id = '${APP}'`);
  });

  it('has no purposes for an unknown app', async () => {
    expect(await loadFactsOverview(fixture.context('none'), STEPS)).to.deep.equal({ facts: 0, purposes: [] });
  });

  it('counts events and claims by outcome within the window', async () => {
    const { events, claims } = await loadIngestOverview(fixture.context(), STEPS);
    const flow = (base: number) => ({
      accepted: base,
      applied: base + 1,
      refused: base + 2,
      failed: base + 3,
    });
    const one = { accepted: 1, applied: 1, refused: 1, failed: 1 };
    for (const [{ series, ...sums }, base] of [
      [events, 10],
      [claims, 20],
    ] as const) {
      expect(sums).to.deep.equal(flow(base + 1));
      expect(at(series, FIRST)).to.deep.equal({ at: FIRST, ...flow(base) });
      expect(at(series, LAST)).to.deep.equal({ at: LAST, ...one });
      expect(series).to.have.length(24);
    }
  });

  it('counts requests, their durations and their failures', async () => {
    const { series, ...sums } = await loadRequestOverview(fixture.context(), STEPS);
    expect(sums).to.deep.equal({ requests: 4, p50Ms: 0.1, p99Ms: 105_000, refused: 3, failed: 1 });
    expect(series.map(({ at: time }) => time)).to.deep.equal(STEPS.starts);
    const none = { requests: 0, p50Ms: null, p99Ms: null, refused: 0, failed: 0 };
    expect(at(series, LAST)).to.deep.equal({
      ...none,
      at: LAST,
      requests: 3,
      p50Ms: 0.1,
      p99Ms: 0.1,
      refused: 3,
    });
    expect(at(series, FIRST)).to.deep.equal({
      ...none,
      at: FIRST,
      requests: 1,
      p50Ms: 105_000,
      p99Ms: 105_000,
      failed: 1,
    });
    expect(at(series, STEPS.starts[1] ?? '')).to.deep.equal({ ...none, at: STEPS.starts[1] });
  });

  it('counts ended deliveries and endpoints by health', async () => {
    const none = { pending: 0, oldestPendingAt: null };
    const ended = { delivered: 2, failed: 3, dropped: 4 };
    const { series, ...empty } = await loadDeliveryOverview(fixture.context(), STEPS);
    expect(empty).to.deep.equal({
      ...ended,
      ...none,
      activeEndpoints: 0,
      failingEndpoints: 0,
      disabledEndpoints: 0,
    });
    expect(series).to.have.length(24);
    expect(at(series, LAST)).to.deep.equal({ at: LAST, ...ended });
    expect(at(series, FIRST)).to.deep.equal({ at: FIRST, delivered: 0, failed: 0, dropped: 0 });
  });

  it('counts pending deliveries up to 10,000 and returns null beyond', async () => {
    const endpoint = { url: 'https://x.example', enabled_events: [], secret: '', created_at: LAST };
    await fixture.insert('webhook_endpoints', [
      { ...endpoint, updated_at: LAST, status: 'active', endpoint_id: 'whe_1', failing_since: LAST },
      { ...endpoint, updated_at: LAST, status: 'active', endpoint_id: 'whe_2' },
      { ...endpoint, updated_at: LAST, status: 'active', endpoint_id: 'whe_3' },
      { ...endpoint, updated_at: LAST, status: 'disabled', endpoint_id: 'whe_4', disabled_reason: 'gone' },
    ]);
    const add = (from: number, to: number): Promise<void> =>
      fixture.sql(
        `INSERT INTO webhook_deliveries (app_id, delivery_id, endpoint_id, position, event_type, data, occurred_at,
           status, created_at, updated_at)
         SELECT '${APP}', 'dlv_' || n, 'whe_1', n, 'consent.granted', '{}', '${FIRST}', 'pending', '${LAST}', '${LAST}'
           FROM generate_series(${from}, ${to}) AS n`,
      );
    await add(1, 10_000);
    const health = { activeEndpoints: 3, failingEndpoints: 1, disabledEndpoints: 1, oldestPendingAt: FIRST };
    expect(await loadDeliveryOverview(fixture.context(), STEPS)).to.include({ ...health, pending: 10_000 });
    await add(10_001, 10_001);
    expect(await loadDeliveryOverview(fixture.context(), STEPS)).to.include({ ...health, pending: null });
  });
});
