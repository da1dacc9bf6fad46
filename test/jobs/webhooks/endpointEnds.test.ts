import { expect } from 'chai';
import { deleteWebhookEndpoint } from '../../../src/commands/deleteWebhookEndpoint.js';
import { ENDED_AT_ONCE } from '../../../src/commands/finishDelivery.js';
import { updateWebhookEndpoint } from '../../../src/commands/updateWebhookEndpoint.js';
import { sweepDeliveries } from '../../../src/jobs/webhooks/sweepDeliveries.js';
import { loadWebhookDelivery } from '../../../src/loaders/listWebhookDeliveries.js';
import type { ReadScope } from '../../../src/loaders/ReadScope.js';
import { LOCAL_NETWORK } from '../../support/webhookFixtures.js';
import { WebhookHarness } from '../../support/WebhookHarness.js';

describe('the end of an endpoint with more deliveries than one transaction ends', () => {
  const MANY = 2 * ENDED_AT_ONCE + 5;
  let harness: WebhookHarness;
  let id: string;

  before(async () => (harness = await WebhookHarness.open()));
  after(() => harness.close());

  beforeEach(async () => {
    await harness.clear();
    id = (await harness.register('https://a.example/')).endpoint.id;
    await harness.announceEntry();
    await harness.worker.dispatchRound();
    await harness.run(COPY_WORKFLOW, [harness.appId, MANY - 1]);
    await harness.run(COPY_DELIVERY, [harness.appId, MANY - 1]);
  });

  function context(): { appId: string; now: Date } {
    return { appId: harness.appId, now: harness.now };
  }

  async function change(status: 'active' | 'disabled'): Promise<void> {
    await harness.database.transaction(harness.appId, (tx) =>
      updateWebhookEndpoint(tx, context(), id, { status }, LOCAL_NETWORK),
    );
  }

  /** Counts of deliveries with their workflows, by their states. */
  async function states(): Promise<Record<string, unknown>> {
    const rows = await harness.rows(STATES, [harness.appId]);
    return Object.fromEntries(rows.map(({ state, count }) => [String(state), count]));
  }

  function works(): Promise<unknown[]> {
    return harness.rows(`SELECT subject FROM work_queue WHERE app_id = $1 AND queue = 'delivery'`);
  }

  async function roundsUntilDone(): Promise<number> {
    let rounds = 0;
    for (; (await works()).length > 0; rounds += 1)
      expect(await harness.worker.deliveryRound(), 'attempts').to.equal(0);
    return rounds;
  }

  it('fails all that wait for a disabled one, in several transactions', async () => {
    await change('disabled');
    expect(await states()).to.deep.equal({
      'failed endpoint_disabled failed': ENDED_AT_ONCE,
      'pending accepted': MANY - ENDED_AT_ONCE,
    });
    expect(await roundsUntilDone()).to.equal(2);
    expect(await states()).to.deep.equal({ 'failed endpoint_disabled failed': MANY });
  });

  it('keeps what is not ended yet when it is enabled again', async () => {
    await change('disabled');
    await change('active');
    await harness.worker.deliveryRound();
    await harness.worker.idle();
    const { 'failed endpoint_disabled failed': failed } = await states();
    expect(failed).to.equal(ENDED_AT_ONCE);
  });

  it('removes the deliveries of a deleted one, in several transactions, and hides them at once', async () => {
    const [delivery] = await harness.deliveries();
    await harness.database.transaction(harness.appId, (tx) => deleteWebhookEndpoint(tx, context(), id));
    const scope = { services: { database: harness.database }, appId: harness.appId } as ReadScope;
    expect(await loadWebhookDelivery(scope, String(delivery?.delivery_id))).to.equal(undefined);
    expect(await states()).to.deep.equal({ 'pending accepted': MANY });
    expect(await roundsUntilDone()).to.equal(3);
    expect(await states()).to.deep.equal({});
    const workflows = await harness.rows(
      `SELECT status, error ->> 'code' AS code, count(*)::integer FROM workflows
        WHERE app_id = $1 AND type = 'webhook_delivery' GROUP BY 1, 2`,
    );
    expect(workflows).to.deep.equal([{ status: 'failed', code: 'delivery_removed', count: MANY }]);
  });

  it('removes them also where a version deleted it that leaves them to a cascade', async () => {
    await harness.register('https://b.example/');
    await harness.announceEntry();
    await harness.worker.dispatchRound();
    await harness.run('DELETE FROM webhook_endpoints WHERE app_id = $1 AND endpoint_id = $2', [
      harness.appId,
      id,
    ]);
    await harness.run('DELETE FROM work_queue WHERE app_id = $1', [harness.appId]);
    await sweepDeliveries(harness.database, harness.now);
    expect(await works()).to.deep.equal([{ subject: id }]);
    await roundsUntilDone();
    expect(await states()).to.deep.equal({ 'pending accepted': 1 });
  });
});

const COPY_WORKFLOW = `
  INSERT INTO workflows (app_id, workflow_id, type, status, subject, created_at, updated_at)
  SELECT app_id, workflow_id || n, type, status, subject, created_at, updated_at
    FROM workflows, generate_series(1, $2::integer) n WHERE app_id = $1 AND type = 'webhook_delivery'`;

const COPY_DELIVERY = `
  INSERT INTO webhook_deliveries (app_id, delivery_id, endpoint_id, position, event_type, data, occurred_at,
    status, next_attempt_at, workflow_id, created_at, updated_at)
  SELECT app_id, delivery_id || n, endpoint_id, position + n, event_type, data, occurred_at,
         status, next_attempt_at, workflow_id || n, created_at, updated_at
    FROM webhook_deliveries, generate_series(1, $2::integer) n WHERE app_id = $1`;

const STATES = `
  SELECT concat_ws(' ', d.status, d.error_code, w.status) AS state, count(*)::integer
    FROM webhook_deliveries d JOIN workflows w USING (app_id, workflow_id) WHERE app_id = $1 GROUP BY 1`;
