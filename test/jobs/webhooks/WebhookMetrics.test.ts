import { expect } from 'chai';
import { Registry } from 'prom-client';
import { newId } from '../../../src/domain/ids.js';
import { WebhookMetrics } from '../../../src/jobs/webhooks/WebhookMetrics.js';
import { TestReceiver, ok, status } from '../../support/TestReceiver.js';
import { WebhookBed } from '../../support/WebhookBed.js';

describe('WebhookMetrics', () => {
  let bed: WebhookBed;
  let receiver: TestReceiver;

  before(async () => {
    bed = await WebhookBed.open();
    receiver = await TestReceiver.start();
  });
  after(async () => {
    await receiver.stop();
    await bed.close();
  });

  it('tells backlog, age, success by endpoint and disabled endpoints over all apps', async () => {
    const registry = new Registry();
    const metrics = new WebhookMetrics(registry, bed.database, () => bed.now);
    const worker = bed.newWorker({ onOutcome: (claim, outcome) => metrics.observe(claim, outcome) });
    const other = newId('app');
    await bed.addApp(other);
    await bed.register(receiver.url(), ['*'], other);
    const { endpoint } = await bed.register(receiver.url(), ['entry.created']);
    await bed.announceEntry('delivered');
    await bed.work(worker);
    receiver.answer = status(500);
    bed.now = new Date(Date.now() + 60_000);
    await bed.announceEntry('failing');
    await bed.work(worker);
    await bed.announceEntry('waiting');
    await bed.database.transaction(other, (tx) =>
      tx.execute(`UPDATE webhook_endpoints SET status = 'disabled' WHERE app_id = $1`, [other]),
    );
    receiver.answer = ok;

    const values = await valuesOf(registry);
    expect(values).to.include({
      consent_webhook_pending_deliveries: 1,
      consent_webhook_outbox_messages: 1,
      consent_webhook_failing_endpoints: 1,
      consent_webhook_disabled_endpoints: 1,
      [`consent_webhook_attempts_total ${endpoint.id} success`]: 1,
      [`consent_webhook_attempts_total ${endpoint.id} failure`]: 1,
    });
    expect(values['consent_webhook_oldest_seconds']).to.be.within(1, 61);
  });
});

async function valuesOf(registry: Registry): Promise<Record<string, number>> {
  const metrics = await registry.getMetricsAsJSON();
  return Object.fromEntries(
    metrics.flatMap(({ name, values }) =>
      values.map(({ labels, value }) => [[name, ...Object.values(labels)].join(' '), value]),
    ),
  );
}
