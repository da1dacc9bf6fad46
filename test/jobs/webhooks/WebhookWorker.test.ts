import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { recoverWebhooks } from '../../../src/commands/recoverWebhooks.js';
import { redeliverWebhook } from '../../../src/commands/redeliverWebhook.js';
import { retryWorkflow } from '../../../src/commands/retryWorkflow.js';
import { rotateWebhookSecret } from '../../../src/commands/rotateWebhookSecret.js';
import { testWebhookEndpoint } from '../../../src/commands/testWebhookEndpoint.js';
import { updateWebhookEndpoint } from '../../../src/commands/updateWebhookEndpoint.js';
import { maskOf } from '../../../src/domain/purposes.js';
import { TestReceiver, hanging, ok, status } from '../../support/TestReceiver.js';
import { WebhookHarness } from '../../support/WebhookHarness.js';
import { LOCAL_NETWORK, entryMessage } from '../../support/webhookFixtures.js';
import { retryWebhookWorkflow } from '../../../src/commands/retryWebhookWorkflow.js';
import { sweepDeliveries } from '../../../src/jobs/webhooks/sweepDeliveries.js';
import { announceAll } from '../../../src/database/outbox.js';
import { newId } from '../../../src/domain/ids.js';

describe('WebhookWorker', () => {
  let harness: WebhookHarness;
  let receiver: TestReceiver;

  before(async () => {
    harness = await WebhookHarness.open();
    receiver = await TestReceiver.start();
  });
  beforeEach(async () => {
    await harness.clear();
    harness.now = new Date();
    receiver.answer = ok;
    receiver.received.length = 0;
  });
  afterEach(() => expect(harness.errors).to.deep.equal([]));
  after(async () => {
    await receiver.stop();
    await harness.close();
  });

  const context = (): { appId: string; now: Date } => ({ appId: harness.appId, now: harness.now });

  it('delivers a signed change and completes its workflow', async () => {
    const { signingSecret, endpoint } = await harness.register(receiver.url('/hook'));
    await harness.announceEntry();
    await harness.work();
    const [received] = receiver.received;
    const { delivery_id, ...row } = await harness.delivery();
    expect(received).to.include({ path: '/hook', id: delivery_id, sequence: 1 });
    const body = new Webhook(signingSecret).verify(received?.body ?? '', received?.headers ?? {}) as Record<
      string,
      unknown
    >;
    expect(body).to.have.keys(['type', 'timestamp', 'data']);
    expect(body).to.deep.include({
      type: 'entry.created',
      data: { entry_id: 'e1', ontology: 'product', checksum: `sha256:${'0'.repeat(64)}` },
    });
    expect(row).to.include({
      status: 'delivered',
      attempts: 1,
      workflow_status: 'completed',
      endpoint_id: endpoint.id,
    });
    expect(
      await harness.rows('SELECT status_code, response_body FROM webhook_attempts WHERE app_id = $1'),
    ).to.deep.equal([{ status_code: 200, response_body: '{"ok":true}' }]);
    expect(await harness.rows('SELECT 1 FROM work_queue WHERE app_id = $1')).to.deep.equal([]);
  });

  it('stores the secret encrypted', async () => {
    const { signingSecret } = await harness.register(receiver.url());
    const [row] = await harness.rows('SELECT secret FROM webhook_endpoints WHERE app_id = $1');
    expect(row?.['secret']).not.to.include(signingSecret.slice(6, 20));
    expect(harness.secrets.open(String(row?.['secret']))).to.equal(signingSecret);
  });

  it('sends nothing for a change that was rolled back', async () => {
    await harness.register(receiver.url());
    const failing = harness.database.transaction(harness.appId, async (tx) => {
      announceAll(tx, [entryMessage('never')]);
      throw new Error('rolled back');
    });
    await failing.catch(() => undefined);
    await harness.work();
    expect(receiver.received).to.deep.equal([]);
  });

  it('sends each endpoint its enabled types, numbered without gaps in the order of the changes', async () => {
    const all = await TestReceiver.start();
    await harness.register(all.url());
    await harness.register(receiver.url(), ['webhook.test', 'entry.updated']);
    for (let n = 0; n < 30; n += 1) await harness.announceEntry(`e${n}`);
    await harness.announce({ type: 'entry.updated', data: { entry_id: 'u', ontology: 'o', checksum: '' } });
    await harness.work();
    expect(
      receiver.received.map(({ sequence, body }) => [sequence, (JSON.parse(body) as { type: string }).type]),
    ).to.deep.equal([[1, 'entry.updated']]);
    const inOrder = all.received.toSorted((a, b) => a.sequence - b.sequence);
    expect(inOrder.map(({ sequence }) => sequence)).to.deep.equal(
      Array.from({ length: 31 }, (_, index) => index + 1),
    );
    const entries = inOrder.map(
      ({ body }) => (JSON.parse(body) as { data: { entry_id: string } }).data.entry_id,
    );
    expect(entries).to.deep.equal([...Array.from({ length: 30 }, (_, n) => `e${n}`), 'u']);
    await all.stop();
  });

  it('stores nothing when no endpoint has the type enabled', async () => {
    await harness.register(receiver.url(), ['consent.granted']);
    await harness.announceEntry();
    expect(await harness.rows('SELECT 1 FROM outbox WHERE app_id = $1')).to.deep.equal([]);
  });

  it('follows the schedule to its end with one webhook-id and a new signature each time', async () => {
    receiver.answer = status(500);
    const { signingSecret } = await harness.register(receiver.url());
    await harness.announceEntry();
    for (const delay of [0, 5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]) {
      const before = receiver.received.length;
      if (delay > 0) {
        harness.advance(delay - 1);
        await harness.work();
        expect(receiver.received.length, `before ${delay} s`).to.equal(before);
        harness.advance(1);
      }
      await harness.work();
      expect(receiver.received.length, `at ${delay} s`).to.equal(before + 1);
      const sent = receiver.received.at(-1);
      expect(Number(sent?.headers['webhook-timestamp'])).to.equal(Math.floor(harness.now.getTime() / 1000));
    }
    expect(new Set(receiver.idsReceived()).size).to.equal(1);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-signature'])).size).to.equal(10);
    expect(() => new Webhook(signingSecret).verify('', {})).to.throw();
    const row = await harness.delivery();
    expect(row).to.include({
      status: 'failed',
      error_code: 'delivery_failed',
      attempts: 10,
      workflow_status: 'failed',
    });
    expect(row.workflow_error).to.deep.equal({
      code: 'delivery_failed',
      message: 'No attempt succeeded. The last answer had status 500.',
    });
    harness.advance(10 * 86_400);
    await harness.work();
    expect(receiver.received.length).to.equal(10);
  });

  it('delays all deliveries of an endpoint as long as Retry-After says', async () => {
    receiver.answer = status(429, { 'retry-after': '100' });
    await harness.register(receiver.url());
    await harness.announceEntry('a');
    await harness.work();
    await harness.announceEntry('b');
    harness.advance(99);
    await harness.work();
    expect(receiver.received.length).to.equal(1);
    harness.advance(1);
    receiver.answer = ok;
    await harness.work();
    expect(receiver.received.length).to.equal(3);
  });

  it('sends what waited for the end of a pause at once to a new URL', async () => {
    const { endpoint } = await harness.register(receiver.url('/old'));
    receiver.answer = status(429, { 'retry-after': '3600' });
    await harness.announceEntry('a');
    await harness.work();
    receiver.answer = ok;
    await harness.announceEntry('b');
    await harness.work();
    expect(receiver.received.map(({ path }) => path)).to.deep.equal(['/old']);
    await harness.database.transaction(harness.appId, (tx) =>
      updateWebhookEndpoint(tx, context(), endpoint.id, { url: receiver.url('/new') }, LOCAL_NETWORK),
    );
    await harness.work();
    expect(receiver.received.map(({ path, sequence }) => [path, sequence])).to.deep.equal([
      ['/old', 1],
      ['/new', 2],
    ]);
  });

  it('disables an endpoint that answers 410 and fails its pending deliveries', async () => {
    await harness.register(receiver.url());
    receiver.answer = status(500);
    await harness.announceEntry('a');
    await harness.work();
    receiver.answer = status(410);
    await harness.announceEntry('b');
    await harness.work();
    expect(
      await harness.rows('SELECT status, disabled_reason FROM webhook_endpoints WHERE app_id = $1'),
    ).to.deep.equal([{ status: 'disabled', disabled_reason: 'gone' }]);
    expect(
      (await harness.deliveries()).map((row) => [row.status, row.error_code, row.workflow_status]),
    ).to.deep.equal([
      ['failed', 'endpoint_disabled', 'failed'],
      ['failed', 'endpoint_disabled', 'failed'],
    ]);
    harness.advance(86_400);
    await harness.work();
    expect(receiver.received.length).to.equal(2);
  });

  it('disables an endpoint after five days of failures and recovers its deliveries later', async () => {
    const { endpoint } = await harness.register(receiver.url());
    receiver.answer = status(503);
    const since = harness.now;
    for (let day = 0; day <= 5; day += 1) {
      await harness.announceEntry(`day${day}`);
      await harness.work();
      const [row] = await harness.rows(
        'SELECT status, disabled_reason FROM webhook_endpoints WHERE app_id = $1',
      );
      expect(row, `day ${day}`).to.deep.equal(
        day < 5
          ? { status: 'active', disabled_reason: null }
          : { status: 'disabled', disabled_reason: 'failing' },
      );
      harness.advance(86_400);
    }
    await harness.announceEntry('while disabled');
    await harness.work();
    receiver.received.length = 0;
    receiver.answer = ok;
    const policy = LOCAL_NETWORK.policy;
    await harness.database.transaction(harness.appId, (tx) =>
      updateWebhookEndpoint(tx, context(), endpoint.id, { status: 'active' }, { policy }),
    );
    const result = await harness.database.transaction(harness.appId, (tx) =>
      recoverWebhooks(tx, context(), endpoint.id, { since: since.toISOString() }),
    );
    expect(result).to.deep.equal({ recovered: 7, hasMore: false });
    await harness.work();
    const entries = receiver.received.map(
      ({ body }) => (JSON.parse(body) as { data: { entry_id: string } }).data.entry_id,
    );
    expect(entries).to.have.members(['day0', 'day1', 'day2', 'day3', 'day4', 'day5', 'while disabled']);
    expect(
      (await harness.deliveries()).every(
        (row) => row.status === 'delivered' && row.workflow_status === 'completed',
      ),
    ).to.equal(true);
  });

  it('redelivers a delivery under its own id with a new schedule', async () => {
    const { endpoint } = await harness.register(receiver.url());
    await harness.announceEntry();
    await harness.work();
    const first = await harness.delivery();
    receiver.answer = status(500);
    const accepted = await harness.database.transaction(harness.appId, (tx) =>
      redeliverWebhook(tx, context(), endpoint.id, first.delivery_id),
    );
    expect(accepted.deliveryId).to.equal(first.delivery_id);
    expect(accepted.workflowId).not.to.equal(first.workflow_id);
    await harness.work();
    harness.advance(5);
    await harness.work();
    expect(receiver.idsReceived()).to.deep.equal([first.delivery_id, first.delivery_id, first.delivery_id]);
    expect(receiver.received.map(({ sequence }) => sequence)).to.deep.equal([1, 1, 1]);
    expect(await harness.delivery()).to.include({
      status: 'pending',
      attempts: 3,
      workflow_id: accepted.workflowId,
      workflow_status: 'running',
    });
  });

  it('begins the schedule of a pending delivery anew when it is asked for again', async () => {
    const { endpoint } = await harness.register(receiver.url());
    receiver.answer = status(500);
    await harness.announceEntry();
    for (const delay of [0, 5, 300]) {
      harness.advance(delay);
      await harness.work();
    }
    const before = await harness.delivery();
    const accepted = await harness.database.transaction(harness.appId, (tx) =>
      redeliverWebhook(tx, context(), endpoint.id, before.delivery_id),
    );
    expect(accepted.workflowId).to.equal(before.workflow_id);
    for (const delay of [0, 5, 300, 1800]) {
      harness.advance(delay);
      await harness.work();
    }
    expect(receiver.received).to.have.length(7);
    expect(await harness.delivery()).to.include({ status: 'pending', attempts: 7 });
  });

  it('leaves a delivery that is due its turn when it is asked for again', async () => {
    const { endpoint } = await harness.register(receiver.url());
    receiver.answer = status(500);
    await harness.announceEntry();
    await harness.work();
    harness.advance(60);
    const turns = 'SELECT delivery_id, next_attempt_at FROM webhook_deliveries WHERE app_id = $1';
    const before = await harness.rows(turns);
    await harness.database.transaction(harness.appId, (tx) =>
      redeliverWebhook(tx, context(), endpoint.id, String(before[0]?.['delivery_id'])),
    );
    expect(await harness.rows(turns)).to.deep.equal(before);
  });

  it('sends a test to one endpoint whatever types it has enabled', async () => {
    const { endpoint } = await harness.register(receiver.url('/this'), ['consent.granted']);
    await harness.register(receiver.url('/other'));
    const { deliveryId } = await harness.database.transaction(harness.appId, (tx) =>
      testWebhookEndpoint(tx, context(), endpoint.id),
    );
    await harness.work();
    expect(receiver.received.map(({ path, id }) => [path, id])).to.deep.equal([['/this', deliveryId]]);
    expect(JSON.parse(receiver.received[0]?.body ?? '')).to.deep.include({
      type: 'webhook.test',
      data: { endpoint_id: endpoint.id },
    });
  });

  it('signs with both secrets for 24 h after a rotation', async () => {
    const { endpoint, signingSecret: old } = await harness.register(receiver.url());
    const { signingSecret: fresh } = await harness.database.transaction(harness.appId, (tx) =>
      rotateWebhookSecret(tx, context(), endpoint.id, { secrets: harness.secrets }),
    );
    await harness.announceEntry();
    await harness.work();
    const { body = '', headers = {} } = receiver.received[0] ?? {};
    for (const secret of [old, fresh]) expect(() => new Webhook(secret).verify(body, headers)).not.to.throw();
    harness.advance(86_400);
    await harness.announceEntry();
    await harness.work();
    expect(receiver.received[1]?.headers['webhook-signature']).to.match(/^v1,\S+$/);
  });

  it('treats only 2xx as success', async () => {
    await harness.register(receiver.url());
    for (const code of [418, 200, 204, 299, 300, 301, 304, 307, 400, 404]) {
      receiver.answer = status(code, { location: receiver.url('/elsewhere') });
      await harness.announceEntry();
      await harness.work();
      await harness.run(
        'UPDATE webhook_endpoints SET consecutive_failures = 0, paused_until = NULL WHERE app_id = $1',
        [harness.appId],
      );
    }
    expect((await harness.deliveries()).map((row) => row.status)).to.deep.equal([
      'pending',
      'delivered',
      'delivered',
      'delivered',
      ...Array.from({ length: 6 }, () => 'pending'),
    ]);
    expect(receiver.received.every(({ path }) => path === '/')).to.equal(true);
  });

  it('stores the answer of a receiver as safe text', async () => {
    receiver.answer = (_received, response) =>
      response.writeHead(400).end(Buffer.from([0x68, 0x69, 0, 0xff, 0x1b]));
    await harness.register(receiver.url());
    await harness.announceEntry();
    await harness.work();
    const [attempt] = await harness.rows('SELECT response_body FROM webhook_attempts WHERE app_id = $1');
    expect(attempt).to.deep.equal({ response_body: 'hi\uFFFD\uFFFD\uFFFD' });
  });

  it('retries a failed workflow for an operator unless its endpoint is disabled', async () => {
    const { endpoint } = await harness.register(receiver.url());
    await harness.announceEntry();
    await harness.work();
    const { workflow_id: workflowId } = await harness.delivery();
    const retry = (): Promise<boolean> =>
      harness.database.transaction(harness.appId, (tx) => retryWebhookWorkflow(tx, workflowId, harness.now));
    expect(await retry(), 'completed').to.equal(false);
    const policy = LOCAL_NETWORK.policy;
    await harness.database.transaction(harness.appId, (tx) =>
      redeliverWebhook(tx, context(), endpoint.id, receiver.idsReceived()[0] ?? ''),
    );
    await harness.database.transaction(harness.appId, (tx) =>
      updateWebhookEndpoint(tx, context(), endpoint.id, { status: 'disabled' }, { policy }),
    );
    const failed = await harness.delivery();
    const again = (): Promise<boolean> =>
      harness.database.transaction(harness.appId, (tx) =>
        retryWebhookWorkflow(tx, failed.workflow_id, harness.now),
      );
    expect(await again(), 'disabled').to.equal(false);
    await harness.database.transaction(harness.appId, (tx) =>
      updateWebhookEndpoint(tx, context(), endpoint.id, { status: 'active' }, { policy }),
    );
    expect(await retryWorkflow(harness.database, failed.workflow_id, harness.now)).to.deep.equal({
      type: 'webhook_delivery',
    });
    await harness.work();
    expect(receiver.received.length).to.equal(2);
    expect(await harness.delivery()).to.include({
      status: 'delivered',
      workflow_id: failed.workflow_id,
      workflow_status: 'completed',
    });
  });

  it('fails the deliveries of a disabled app without sending them', async () => {
    await harness.register(receiver.url());
    await harness.announceEntry();
    await harness.run(`UPDATE apps SET status = 'disabled' WHERE app_id = $1`, [harness.appId]);
    await harness.work();
    await harness.run(`UPDATE apps SET status = 'active' WHERE app_id = $1`, [harness.appId]);
    expect(receiver.received).to.deep.equal([]);
    expect(await harness.delivery()).to.include({
      status: 'failed',
      error_code: 'app_disabled',
      workflow_status: 'failed',
    });
  });

  it('deletes ended deliveries after 30 days and old secrets after their overlap', async () => {
    const { endpoint } = await harness.register(receiver.url());
    await harness.announceEntry('old');
    await harness.work();
    harness.advance(86_400);
    receiver.answer = status(500);
    await harness.announceEntry('pending');
    await harness.work();
    await harness.database.transaction(harness.appId, (tx) =>
      rotateWebhookSecret(tx, context(), endpoint.id, { secrets: harness.secrets }),
    );
    harness.advance(29 * 86_400);
    await sweepDeliveries(harness.database, harness.now);
    expect((await harness.deliveries()).length).to.equal(2);
    harness.advance(1);
    await sweepDeliveries(harness.database, harness.now);
    expect((await harness.deliveries()).map((row) => row.status)).to.deep.equal(['pending']);
    expect((await harness.rows('SELECT workflow_id FROM workflows WHERE app_id = $1')).length).to.equal(1);
    expect(
      await harness.rows('SELECT previous_secret FROM webhook_endpoints WHERE app_id = $1'),
    ).to.deep.equal([{ previous_secret: null }]);
  });

  it('keeps an old delivery that is asked for again while the sweep runs', async () => {
    const { endpoint } = await harness.register(receiver.url());
    await harness.announceEntry();
    await harness.work();
    harness.advance(31 * 86_400);
    const { delivery_id: id } = await harness.delivery();
    await harness.database.transaction(harness.appId, async (tx) => {
      await redeliverWebhook(tx, context(), endpoint.id, id);
      await sweepDeliveries(harness.database, harness.now);
    });
    expect(await harness.delivery()).to.include({ status: 'pending', workflow_status: 'accepted' });
  });

  describe('consent at the time of sending', () => {
    const both = maskOf(['analytics', 'support']);
    const granted = (customerId: string): Parameters<WebhookHarness['announce']>[0] => ({
      type: 'consent.granted',
      customerId,
      purposes: ['analytics', 'support'],
      data: {
        receipt_id: 'rcp_1',
        customer_id: customerId,
        purposes: ['analytics', 'support'],
        granted_at: '2026-01-01T00:00:00.000Z',
      },
    });
    const purposesSent = (): unknown[] =>
      receiver.received.map(
        ({ body }) => (JSON.parse(body) as { data: { purposes: unknown } }).data.purposes,
      );

    it('drops a message about a closed purpose and sends the revocation', async () => {
      await harness.register(receiver.url());
      const customerId = await harness.addCustomer(both);
      await harness.announce(granted(customerId));
      await harness.setMask(customerId, 0);
      await harness.announce({
        type: 'consent.revoked',
        customerId,
        purposes: ['analytics', 'support'],
        data: {
          receipt_id: 'rcp_1',
          customer_id: customerId,
          purposes: ['analytics', 'support'],
          revoked_at: '',
          workflow_id: 'wf_1',
        },
      });
      await harness.work();
      expect(
        receiver.received.map(({ body, sequence }) => [
          (JSON.parse(body) as { type: string }).type,
          sequence,
        ]),
      ).to.deep.equal([['consent.revoked', 1]]);
      const [first] = await harness.deliveries();
      expect(first).to.include({
        status: 'dropped',
        error_code: 'consent_withdrawn',
        workflow_status: 'failed',
        sequence: null,
      });
    });

    it('names only the purposes that are still open', async () => {
      await harness.register(receiver.url());
      const customerId = await harness.addCustomer(both);
      await harness.announce(granted(customerId));
      await harness.setMask(customerId, maskOf(['support']));
      await harness.work();
      expect(purposesSent()).to.deep.equal([['support']]);
    });

    it('drops a message of an earlier epoch although the purpose is open again', async () => {
      await harness.register(receiver.url());
      const customerId = await harness.addCustomer(both);
      await harness.announce(granted(customerId));
      await harness.run(
        `UPDATE customer_heads SET epochs = '{2,2,2,2,2,2,2}' WHERE app_id = $1 AND customer_id = $2`,
        [harness.appId, customerId],
      );
      await harness.work();
      expect(receiver.received).to.deep.equal([]);
    });

    it('drops a message about purposes that the app may no longer process', async () => {
      await harness.register(receiver.url());
      const customerId = await harness.addCustomer(both);
      await harness.announce(granted(customerId));
      await harness.run('UPDATE apps SET allowed_mask = 0 WHERE app_id = $1', [harness.appId]);
      await harness.work();
      await harness.run('UPDATE apps SET allowed_mask = 127 WHERE app_id = $1', [harness.appId]);
      expect(receiver.received).to.deep.equal([]);
    });

    it('does not retry after the purpose was closed between attempts', async () => {
      await harness.register(receiver.url());
      const customerId = await harness.addCustomer(both);
      receiver.answer = status(500);
      await harness.announce(granted(customerId));
      await harness.work();
      await harness.setMask(customerId, 0);
      harness.advance(10);
      await harness.work();
      expect(receiver.received.length).to.equal(1);
      expect(await harness.delivery()).to.include({ status: 'dropped', error_code: 'consent_withdrawn' });
    });

    it('is checked again once connected: a purpose closed while connecting is not sent', async () => {
      const slow = {
        ...LOCAL_NETWORK,
        resolve: async () => {
          await harness.setMask(customerId, 0);
          return ['127.0.0.1'];
        },
      };
      const customerId = await harness.addCustomer(both);
      const { endpoint } = await harness.register(receiver.url());
      // A name, so that connecting asks for its address; none can be registered without TLS.
      const url = `http://slow.example:${receiver.port}/`;
      await harness.run('UPDATE webhook_endpoints SET url = $3 WHERE app_id = $1 AND endpoint_id = $2', [
        harness.appId,
        endpoint.id,
        url,
      ]);
      await harness.announce(granted(customerId));
      const before = receiver.connections;
      await harness.work(harness.newWorker({ network: slow }));
      expect(receiver.connections - before).to.equal(1);
      expect(receiver.received).to.deep.equal([]);
      expect(await harness.delivery()).to.include({ status: 'dropped', error_code: 'consent_withdrawn' });
    });

    it('sends the other messages when a customer is erased while they are dispatched', async () => {
      await harness.register(receiver.url());
      const customer = await harness.addCustomer(both);
      await harness.announce(granted(customer));
      await harness.announceEntry();
      const waiting = `SELECT FROM pg_stat_activity WHERE cardinality(pg_blocking_pids(pid)) > 0
        AND datname = current_database()`;
      const dispatching = await harness.database.transaction(harness.appId, async (tx) => {
        await tx.execute('DELETE FROM customers WHERE app_id = $1 AND customer_id = $2', [
          harness.appId,
          customer,
        ]);
        const round = harness.worker.dispatchRound();
        while ((await tx.query(waiting)).length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
        return { round };
      });
      expect(await dispatching.round).to.equal(0);
      await harness.work();
      expect(receiver.received.map(({ body }) => (JSON.parse(body) as { type: string }).type)).to.deep.equal([
        'entry.created',
      ]);
      expect(harness.errors).to.deep.equal([]);
    });

    it('sends nothing about an erased customer and fails the workflow', async () => {
      await harness.register(receiver.url());
      const [first, second] = [await harness.addCustomer(both), await harness.addCustomer(both)];
      await harness.announce(granted(first));
      receiver.answer = status(500);
      await harness.work();
      await harness.announce(granted(second));
      const { workflow_id: workflowId } = await harness.delivery();
      for (const id of [first, second])
        await harness.run('DELETE FROM customers WHERE app_id = $1 AND customer_id = $2', [
          harness.appId,
          id,
        ]);
      harness.advance(10);
      await harness.work();
      expect(receiver.received.length).to.equal(1);
      expect(await harness.deliveries()).to.deep.equal([]);
      expect(await harness.rows('SELECT 1 FROM outbox WHERE app_id = $1')).to.deep.equal([]);
      const [workflow] = await harness.rows(
        'SELECT status, error FROM workflows WHERE app_id = $1 AND workflow_id = $2',
        [harness.appId, workflowId],
      );
      expect(workflow).to.deep.include({ status: 'failed' });
    });
  });

  describe('with failures', () => {
    it('delivers what a killed worker had claimed once its lease has ended', async () => {
      await harness.register(receiver.url());
      await harness.announceEntry();
      receiver.answer = hanging;
      const killed = harness.newWorker();
      await killed.dispatchRound();
      await killed.deliveryRound();
      while (receiver.received.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      receiver.answer = ok;
      harness.advance(29);
      await harness.work();
      expect(receiver.received.length).to.equal(1);
      harness.advance(1);
      await harness.work();
      expect(receiver.received.length).to.equal(2);
      expect(new Set(receiver.idsReceived()).size).to.equal(1);
      await killed.stop(0);
      expect(await harness.delivery()).to.include({ status: 'delivered', attempts: 1 });
    });

    it('releases unfinished attempts without counting them when it stops', async () => {
      await harness.register(receiver.url());
      await harness.announceEntry();
      receiver.answer = hanging;
      const stopping = harness.newWorker();
      await stopping.dispatchRound();
      await stopping.deliveryRound();
      while (receiver.received.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      await stopping.stop(0);
      expect(await harness.delivery()).to.include({
        status: 'pending',
        attempts: 0,
        workflow_status: 'running',
      });
      receiver.answer = ok;
      await harness.work();
      expect(await harness.delivery()).to.include({ status: 'delivered', attempts: 1 });
    });

    it('starts a delivery at the signal of a commit', async () => {
      await harness.register(receiver.url());
      const worker = harness.newWorker({ pollMs: 60_000 });
      worker.start();
      await new Promise((resolve) => setTimeout(resolve, 50));
      await harness.announceEntry();
      while (receiver.received.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      await worker.stop();
      expect(await harness.delivery()).to.include({ status: 'delivered' });
    });

    it('delivers beside an app of which hundreds of receivers hang', async () => {
      const slow = await TestReceiver.start(hanging);
      for (let n = 0; n < 210; n += 1) await harness.register(slow.url(`/${n}`));
      await harness.announce(...Array.from({ length: 16 }, (_, n) => entryMessage(`e${n}`)));
      const worker = harness.newWorker({ timeoutMs: 600_000, pollMs: 20 });
      worker.start();
      try {
        while (slow.received.length < 400) await new Promise((resolve) => setTimeout(resolve, 5));
        const other = newId('app');
        await harness.addApp(other);
        await harness.register(receiver.url(), ['*'], other);
        await harness.database.transaction(other, async (tx) => announceAll(tx, [entryMessage('mine')]));
        while (receiver.received.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
        expect(slow.received).to.have.length.below(1000);
      } finally {
        await worker.stop(0);
        await slow.stop();
      }
    });

    const waiting = async (): Promise<number> => {
      const [row] = await harness.rows(
        `SELECT count(*)::integer AS waiting FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        [],
      );
      return Number(row?.['waiting']);
    };

    for (const [turnsOfApp, most] of [
      [1, 1],
      [9, 3],
    ] as const)
      it(`runs ${most} transactions of an app at once where it has ${turnsOfApp} turns`, async () => {
        for (let n = 0; n < 60; n += 1) await harness.register(receiver.url(`/${n}`));
        await harness.announceEntry();
        const worker = harness.newWorker({ turnsOfApp });
        await worker.dispatchRound();
        let round: Promise<number> | undefined;
        await harness.database.transaction(harness.appId, async (tx) => {
          await tx.query('SELECT 1 FROM webhook_endpoints WHERE app_id = $1 FOR UPDATE', [harness.appId]);
          round = worker.deliveryRound();
          while ((await waiting()) < most);
          await new Promise((wake) => setTimeout(wake, 100));
          expect(await waiting()).to.equal(most);
        });
        await round;
        await harness.work(worker);
        expect(receiver.received.length).to.equal(60);
      });

    describe('while a customer of one app is locked', () => {
      let customerId: string;
      beforeEach(async () => (customerId = await harness.addCustomer(maskOf(['analytics']))));

      const announceUpdates = (count: number): Promise<void> => {
        const data = { customer_id: customerId, purposes: ['analytics' as const], updated_at: '' };
        return harness.announce(
          ...Array.from({ length: count }, () => ({ type: 'profile.updated' as const, data })),
        );
      };
      const lock = (work: () => Promise<void>): Promise<void> =>
        harness.database.transaction(harness.appId, async (tx) => {
          const head =
            'SELECT 1 FROM customer_heads WHERE app_id = $1 AND customer_id = $2 FOR NO KEY UPDATE';
          await tx.query(head, [harness.appId, customerId]);
          await work();
        });
      it('lets one of its deliveries wait for the lock, and those of another app pass', async () => {
        const blocked = await TestReceiver.start();
        for (let n = 0; n < 8; n += 1) await harness.register(blocked.url(`/${n}`));
        await announceUpdates(4);
        const other = newId('app');
        await harness.addApp(other);
        await harness.register(receiver.url(), ['*'], other);
        const worker = harness.newWorker({ pollMs: 20, clock: () => new Date() });
        try {
          await lock(async () => {
            worker.start();
            while ((await waiting()) === 0);
            await harness.database.transaction(other, async (tx) => announceAll(tx, [entryMessage('mine')]));
            let most = 0;
            while (receiver.received.length === 0) most = Math.max(most, await waiting());
            expect([most, blocked.received.length]).to.deep.equal([1, 0]);
          });
          while (new Set(blocked.idsReceived()).size < 32) await new Promise((wake) => setTimeout(wake, 5));
        } finally {
          await worker.stop(0);
          await blocked.stop();
        }
      });

      it('attempts its deliveries again after two seconds, without counting', async () => {
        await harness.register(receiver.url());
        await announceUpdates(1);
        await lock(() => harness.work());
        const { attempts, next_attempt_at: next } = await harness.delivery();
        expect([attempts, Date.parse(next ?? '') - harness.now.getTime()]).to.deep.equal([0, 2000]);
        harness.advance(2);
        await harness.work();
        expect(await harness.delivery()).to.include({ status: 'delivered', attempts: 1 });
      });
    });

    it('sends one attempt at a time to a failing endpoint', async () => {
      receiver.answer = status(500);
      await harness.register(receiver.url());
      for (let n = 0; n < 3; n += 1) await harness.announceEntry();
      await harness.work();
      let [open, most] = [0, 0];
      receiver.answer = (_received, response) => {
        open += 1;
        most = Math.max(most, open);
        setTimeout(() => {
          open -= 1;
          response.writeHead(500).end();
        }, 5);
      };
      for (let n = 0; n < 5; n += 1) await harness.announceEntry();
      await harness.work();
      expect(most).to.equal(1);
    });
  });
});
