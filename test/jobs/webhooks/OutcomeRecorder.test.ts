import { expect } from 'chai';
import { claimDeliveries } from '../../../src/jobs/webhooks/claimDeliveries.js';
import type { ClaimedDelivery } from '../../../src/jobs/webhooks/claimDeliveries.js';
import { OutcomeRecorder } from '../../../src/jobs/webhooks/OutcomeRecorder.js';
import { WebhookHarness } from '../../support/WebhookHarness.js';

describe('OutcomeRecorder', () => {
  let harness: WebhookHarness;
  let recorder: OutcomeRecorder;
  let claims: ClaimedDelivery[];

  before(async () => {
    harness = await WebhookHarness.open();
  });

  after(() => harness.close());

  beforeEach(async () => {
    await harness.clear();
    recorder = new OutcomeRecorder(harness.database);
    const { endpoint } = await harness.register('http://127.0.0.1:9/');
    for (const entry of ['e1', 'e2', 'e3', 'e4', 'e5', 'e6']) await harness.announceEntry(entry);
    while ((await harness.worker.dispatchRound()) > 0);
    claims = await claimDeliveries(harness.database, harness.appId, [endpoint.id], harness.now);
  });

  function succeed(claim: ClaimedDelivery, durationMs = 1): Promise<void> {
    const attempt = { kind: 'made', startedAt: harness.now, durationMs, statusCode: 204 } as const;
    return recorder.record(claim, attempt, { now: harness.now, random: 0.5 });
  }

  it('records each delivery with one attempt in fewer transactions than deliveries', async () => {
    expect(claims).to.have.lengthOf(6);
    await Promise.all(claims.map((claim) => succeed(claim)));
    const deliveries = await harness.deliveries();
    expect(
      deliveries.map(({ status, attempts, workflow_status }) => [status, attempts, workflow_status]),
    ).to.deep.equal(claims.map(() => ['delivered', 1, 'completed']));
    const [told] = await harness.rows(
      'SELECT count(DISTINCT xmin::text)::integer AS transactions FROM webhook_deliveries WHERE app_id = $1',
    );
    expect(told?.['transactions']).to.be.below(6);
  });

  it('ignores a delivery whose lease has changed', async () => {
    const [late, ...others] = claims.map((claim, place) =>
      place === 0 ? { ...claim, lease: 'ended' } : claim,
    );
    await Promise.all([late, ...others].flatMap((claim) => (claim ? [succeed(claim)] : [])));
    const deliveries = await harness.deliveries();
    expect(deliveries.filter(({ status }) => status === 'delivered')).to.have.lengthOf(5);
    expect(deliveries.find(({ status }) => status === 'pending')).to.include({
      delivery_id: late?.deliveryId,
      attempts: 0,
    });
  });

  it('records the others when one of a transaction fails', async () => {
    const last = claims.length - 1;
    const outcomes = await Promise.allSettled(
      claims.map((claim, place) => succeed(claim, place === last ? Number.NaN : 1)),
    );
    expect(outcomes.map(({ status }) => status)).to.deep.equal(
      claims.map((_, place) => (place === last ? 'rejected' : 'fulfilled')),
    );
    const deliveries = await harness.deliveries();
    expect(deliveries.filter(({ status }) => status === 'delivered')).to.have.lengthOf(5);
    expect(deliveries.filter(({ status }) => status === 'pending')).to.have.lengthOf(1);
  });

  it('claims the next due deliveries of the same endpoints in the same transaction', async () => {
    const taken: ClaimedDelivery[] = [];
    let room = 0;
    recorder = new OutcomeRecorder(harness.database, {
      roomFor: () => room,
      take: (next) => void taken.push(...next),
    });
    for (const entry of ['e7', 'e8']) await harness.announceEntry(entry);
    while ((await harness.worker.dispatchRound()) > 0);
    const [first, second] = claims;
    if (first === undefined || second === undefined) throw new Error('Nothing could be claimed.');
    await succeed(first);
    expect(taken).to.deep.equal([]);
    room = 1000;
    await succeed(second);
    expect(taken.map(({ sequence }) => sequence)).to.deep.equal([7, 8]);
    const [told] = await harness.rows(
      `SELECT count(DISTINCT xmin::text)::integer AS transactions FROM webhook_deliveries
        WHERE app_id = $1 AND delivery_id = ANY ($2)`,
      [harness.appId, [second, ...taken].map(({ deliveryId }) => deliveryId)],
    );
    expect(told?.['transactions']).to.equal(1);
  });

  it('resets the failures of the endpoint that succeeded and of no other', async () => {
    const { endpoint } = await harness.register('http://127.0.0.1:9/other');
    await harness.run('UPDATE webhook_endpoints SET consecutive_failures = 2 WHERE app_id = $1', [
      harness.appId,
    ]);
    const [first] = claims;
    if (first === undefined) throw new Error('Nothing could be claimed.');
    await succeed(first);
    const rows = await harness.rows(
      'SELECT endpoint_id, consecutive_failures FROM webhook_endpoints WHERE app_id = $1',
    );
    const failures = Object.fromEntries(rows.map((row) => [row['endpoint_id'], row['consecutive_failures']]));
    expect(failures).to.deep.equal({ [first.endpointId]: 0, [endpoint.id]: 2 });
  });
});
