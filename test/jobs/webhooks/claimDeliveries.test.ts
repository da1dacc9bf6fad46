import { expect } from 'chai';
import { MAX_CONCURRENT } from '../../../src/domain/webhooks/endpointHealth.js';
import { claimDeliveries } from '../../../src/jobs/webhooks/claimDeliveries.js';
import type { ClaimedDelivery } from '../../../src/jobs/webhooks/claimDeliveries.js';
import { WebhookHarness } from '../../support/WebhookHarness.js';

describe('claimDeliveries with several endpoints of an app', () => {
  const MESSAGES = MAX_CONCURRENT + 2;
  let harness: WebhookHarness;
  let well: string;
  let failing: string;
  let paused: string;

  before(async () => (harness = await WebhookHarness.open()));
  after(() => harness.close());

  beforeEach(async () => {
    await harness.clear();
    [well, failing, paused] = (await Promise.all(
      ['a', 'b', 'c'].map(async (name) => {
        const { endpoint } = await harness.register(`https://${name}.example/`);
        return endpoint.id;
      }),
    )) as [string, string, string];
    await harness.run(
      'UPDATE webhook_endpoints SET consecutive_failures = 3 WHERE app_id = $1 AND endpoint_id = $2',
      [harness.appId, failing],
    );
    await harness.run(
      'UPDATE webhook_endpoints SET paused_until = $3 WHERE app_id = $1 AND endpoint_id = $2',
      [harness.appId, paused, new Date(harness.now.getTime() + 7000)],
    );
    for (let place = 0; place < MESSAGES; place += 1) await harness.announceEntry(`e${place}`);
    while ((await harness.worker.dispatchRound()) > 0);
  });

  function claim(): Promise<ClaimedDelivery[]> {
    return claimDeliveries(harness.database, harness.appId, [well, failing, paused, 'gone'], harness.now);
  }

  function sequencesOf(claims: readonly ClaimedDelivery[], endpointId: string): number[] {
    return claims.filter((one) => one.endpointId === endpointId).map(({ sequence }) => sequence);
  }

  async function nextLooks(): Promise<unknown> {
    const rows = await harness.rows(
      `SELECT subject, ready_at FROM work_queue WHERE app_id = $1 AND queue = 'delivery'`,
    );
    return Object.fromEntries(
      rows.map(({ subject, ready_at: at }) => [
        subject,
        (Date.parse(String(at)) - harness.now.getTime()) / 1000,
      ]),
    );
  }

  it('claims as many per endpoint as its health allows and numbers each separately', async () => {
    const claims = await claim();
    expect(sequencesOf(claims, well)).to.deep.equal(
      Array.from({ length: MAX_CONCURRENT }, (_, at) => at + 1),
    );
    expect(sequencesOf(claims, failing)).to.deep.equal([1]);
    expect(sequencesOf(claims, paused)).to.deep.equal([]);
    expect(await claim()).to.deep.equal([]);
  });

  it('shares room among endpoints, and leaves the rest due', async () => {
    const claimAll = (room: number): Promise<ClaimedDelivery[]> =>
      claimDeliveries(harness.database, harness.appId, [well, failing], harness.now, room);
    expect(await claimAll(0)).to.deep.equal([]);
    expect(sequencesOf(await claimAll(5), well)).to.deep.equal([1, 2, 3]);
    expect(sequencesOf(await claimAll(5), well)).to.deep.equal([4, 5, 6]);
    expect(await claimAll(Infinity)).to.have.lengthOf(MAX_CONCURRENT - 6);
  });

  it('schedules each endpoint for the end of its lease or pause, and none without deliveries', async () => {
    await harness.run(
      `INSERT INTO work_queue (app_id, queue, subject, ready_at) VALUES ($1, 'delivery', 'gone', $2)`,
      [harness.appId, harness.now],
    );
    await claim();
    expect(await nextLooks()).to.deep.equal({ [well]: 30, [failing]: 30, [paused]: 7 });
  });

  it('numbers in the order of the changes, whichever clock set when deliveries fall due', async () => {
    // The last change was dispatched by a worker whose clock is late.
    await harness.run(
      `UPDATE webhook_deliveries SET next_attempt_at = next_attempt_at - interval '20 ms'
        WHERE app_id = $1 AND position IN (SELECT max(position) FROM webhook_deliveries WHERE app_id = $1)`,
      [harness.appId],
    );
    const claims = (await claim()).filter(({ endpointId }) => endpointId === well);
    const places = await harness.rows(
      'SELECT delivery_id FROM webhook_deliveries WHERE app_id = $1 AND sequence IS NOT NULL AND endpoint_id = $2 ORDER BY position',
      [harness.appId, well],
    );
    const numberOf = new Map(claims.map(({ deliveryId, sequence }) => [deliveryId, sequence]));
    const numbers = places.map(({ delivery_id: id }) => numberOf.get(String(id)));
    expect(numbers).to.deep.equal(Array.from({ length: MAX_CONCURRENT }, (_, at) => at + 1));
  });

  it('ends what was dispatched to an endpoint while it was being disabled', async () => {
    await harness.run(
      `UPDATE webhook_endpoints SET status = 'disabled' WHERE app_id = $1 AND endpoint_id = $2`,
      [harness.appId, well],
    );
    expect(sequencesOf(await claim(), well)).to.deep.equal([]);
    const left = await harness.rows(
      'SELECT DISTINCT status, error_code FROM webhook_deliveries WHERE app_id = $1 AND endpoint_id = $2',
      [harness.appId, well],
    );
    expect(left).to.deep.equal([{ status: 'failed', error_code: 'endpoint_disabled' }]);
  });

  it('continues the numbers after the leases have ended', async () => {
    const before = await claim();
    harness.advance(30);
    const after = await claim();
    expect(sequencesOf(after, well)).to.deep.equal([
      MAX_CONCURRENT + 1,
      MAX_CONCURRENT + 2,
      ...sequencesOf(before, well).slice(0, MAX_CONCURRENT - 2),
    ]);
    expect(sequencesOf(after, paused)).to.deep.equal(sequencesOf(before, well));
  });
});
