import { expect } from 'chai';
import pino from 'pino';
import { Registry } from 'prom-client';
import { newId } from '../../../src/domain/ids.js';
import { registerIngestMetrics } from '../../../src/jobs/ingestMetrics.js';
import { WebhookMetrics } from '../../../src/jobs/webhooks/WebhookMetrics.js';
import { TestReceiver, ok, status } from '../../support/TestReceiver.js';
import { WebhookHarness } from '../../support/WebhookHarness.js';

describe('WebhookMetrics', () => {
  let harness: WebhookHarness;
  let receiver: TestReceiver;

  before(async () => {
    harness = await WebhookHarness.open();
    receiver = await TestReceiver.start();
  });
  after(async () => {
    await receiver.stop();
    await harness.close();
  });

  it('reports backlog, age, outcomes per endpoint and disabled endpoints over all apps', async () => {
    const registry = new Registry();
    const metrics = new WebhookMetrics(registry, harness.database, () => harness.now);
    const worker = harness.newWorker({ onOutcome: (claim, outcome) => metrics.observe(claim, outcome) });
    const other = newId('app');
    await harness.addApp(other);
    await harness.register(receiver.url(), ['*'], other);
    const { endpoint } = await harness.register(receiver.url(), ['entry.created']);
    await harness.announceEntry('delivered');
    await harness.work(worker);
    receiver.answer = status(500);
    harness.now = new Date(Date.now() + 60_000);
    await harness.announceEntry('failing');
    await harness.work(worker);
    await harness.announceEntry('waiting');
    await harness.database.transaction(other, (tx) =>
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

  it('reports how long changes wait for dispatch apart from deliveries that fail', async () => {
    await harness.clear();
    const registry = new Registry();
    const { database } = harness;
    const clock = (): Date => harness.now;
    const metrics = new WebhookMetrics(registry, database, clock);
    registerIngestMetrics(registry, { database, clock, log: pino({ level: 'silent' }) });
    await harness.register(receiver.url(), ['entry.created']);
    harness.now = new Date();
    receiver.answer = status(500);
    await harness.announceEntry('failing');
    await harness.work(harness.newWorker({ onOutcome: (claim, outcome) => metrics.observe(claim, outcome) }));
    receiver.answer = ok;
    harness.advance(86_400);
    const dispatched = await valuesOf(registry);
    expect(dispatched['consent_webhook_oldest_seconds']).to.be.within(86_000, 86_400);
    expect(dispatched['work_queue_oldest_seconds outbox']).to.equal(0);
    await harness.announceEntry('waiting');
    const waiting = await valuesOf(registry);
    expect(waiting['work_queue_oldest_seconds outbox']).to.be.within(86_000, 86_400);
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
