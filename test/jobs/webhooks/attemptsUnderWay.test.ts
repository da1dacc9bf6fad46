import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import { recoverWebhooks } from '../../../src/commands/recoverWebhooks.js';
import { redeliverWebhook } from '../../../src/commands/redeliverWebhook.js';
import { updateWebhookEndpoint } from '../../../src/commands/updateWebhookEndpoint.js';
import type { UpdateWebhookEndpointInput } from '../../../schema/inputs/WebhookInput.js';
import { TestReceiver, ok, status } from '../../support/TestReceiver.js';
import { WebhookHarness } from '../../support/WebhookHarness.js';
import { LOCAL_NETWORK } from '../../support/webhookFixtures.js';

describe('an endpoint that is changed while attempts at it are under way', () => {
  let harness: WebhookHarness;
  /** Answers when the test says. */
  let receiver: TestReceiver;
  let other: TestReceiver;
  let endpointId: string;
  const waiting: ServerResponse[] = [];

  before(async () => {
    harness = await WebhookHarness.open();
    receiver = await TestReceiver.start();
    other = await TestReceiver.start();
  });
  beforeEach(async () => {
    await harness.clear();
    harness.now = new Date();
    waiting.length = 0;
    receiver.answer = (_received, response) => waiting.push(response);
    other.answer = ok;
    for (const { received } of [receiver, other]) received.length = 0;
    endpointId = (await harness.register(receiver.url())).endpoint.id;
  });
  afterEach(() => expect(harness.errors).to.deep.equal([]));
  after(async () => {
    await receiver.stop();
    await other.stop();
    await harness.close();
  });

  /** Sends messages that the receiver has and did not answer yet. */
  async function begin(...entries: string[]): Promise<void> {
    for (const entry of entries) await harness.announceEntry(entry);
    while ((await harness.worker.dispatchRound()) > 0);
    await harness.worker.deliveryRound();
    while (waiting.length < entries.length) await new Promise((resolve) => setTimeout(resolve, 5));
  }

  async function answer(code: number, headers: Record<string, string> = {}): Promise<void> {
    for (const response of waiting.splice(0)) response.writeHead(code, headers).end();
    await harness.worker.idle();
  }

  async function change(input: UpdateWebhookEndpointInput): Promise<void> {
    const context = { appId: harness.appId, now: harness.now };
    await harness.database.transaction(harness.appId, (tx) =>
      updateWebhookEndpoint(tx, context, endpointId, input, LOCAL_NETWORK),
    );
  }

  async function health(): Promise<unknown> {
    const [row] = await harness.rows(
      'SELECT status, consecutive_failures, failing_since, paused_until FROM webhook_endpoints WHERE app_id = $1',
    );
    return row;
  }

  async function answersRecorded(): Promise<unknown[]> {
    const rows = await harness.rows(
      'SELECT status_code FROM webhook_attempts WHERE app_id = $1 ORDER BY attempt',
    );
    return rows.map((row) => row['status_code']);
  }

  const well = { status: 'active', consecutive_failures: 0, failing_since: null, paused_until: null };

  for (const [code, headers] of [
    [410, {}],
    [429, { 'retry-after': '3600' }],
    [500, {}],
  ] as const)
    it(`is sent what failed by its schedule when its earlier URL answers ${code}`, async () => {
      await begin('e1');
      await change({ url: other.url() });
      await answer(code, headers);
      expect(await health()).to.deep.equal(well);
      await harness.announceEntry('e2');
      await harness.work();
      expect(other.received.map(({ sequence }) => sequence)).to.deep.equal([2]);
      harness.advance(5);
      await harness.work();
      expect(other.received.map(({ sequence }) => sequence)).to.deep.equal([2, 1]);
      expect(await harness.delivery()).to.include({ status: 'delivered', attempts: 2 });
      expect(await answersRecorded()).to.have.members([code, 200, 200]);
    });

  it('keeps the failures of its new URL when its earlier one answers 200', async () => {
    await begin('e1');
    await change({ url: other.url() });
    other.answer = status(500);
    await harness.announceEntry('e2');
    while ((await harness.worker.dispatchRound()) > 0);
    await harness.worker.deliveryRound();
    const failed = 'SELECT 1 FROM webhook_attempts WHERE app_id = $1';
    while ((await harness.rows(failed)).length === 0);
    const before = await health();
    expect(before).to.include({ consecutive_failures: 1 });
    await answer(200);
    expect(await health()).to.deep.equal(before);
    expect(await harness.delivery()).to.include({ status: 'delivered', attempts: 1 });
  });

  it('begins the schedule of a delivery anew that is asked for again during its last attempt', async () => {
    receiver.answer = status(500);
    await harness.announceEntry();
    await harness.work();
    await harness.run('UPDATE webhook_deliveries SET attempts = 9 WHERE app_id = $1', [harness.appId]);
    receiver.answer = (_received, response) => waiting.push(response);
    harness.advance(5);
    const before = await harness.delivery();
    await harness.worker.deliveryRound();
    while (waiting.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const accepted = await harness.database.transaction(harness.appId, (tx) =>
      redeliverWebhook(tx, { appId: harness.appId, now: harness.now }, endpointId, before.delivery_id),
    );
    expect(accepted.workflowId).to.equal(before.workflow_id);
    await answer(500);
    expect(await harness.delivery()).to.include({ status: 'pending', attempts: 10 });
    receiver.answer = ok;
    harness.advance(5);
    await harness.work();
    expect(await harness.delivery()).to.include({ status: 'delivered', attempts: 11 });
    expect(receiver.received).to.have.length(3);
  });

  describe('disabled', () => {
    async function states(): Promise<unknown[]> {
      const rows = await harness.deliveries();
      return rows.map((row) => [row.status, row.error_code, row.attempts, row.workflow_status]);
    }

    const failed = ['failed', 'endpoint_disabled', 0, 'failed'];

    it('has as delivered what its receiver accepted, and ends the rest at once', async () => {
      await begin('e1', 'e2');
      await harness.announceEntry('e3');
      await harness.worker.dispatchRound();
      await change({ status: 'disabled' });
      const underWay = ['pending', null, 0, 'running'];
      expect(await states()).to.deep.equal([underWay, underWay, failed]);
      await answer(204);
      const delivered = ['delivered', null, 1, 'completed'];
      expect(await states()).to.deep.equal([delivered, delivered, failed]);
      expect(await answersRecorded()).to.deep.equal([204, 204]);
      await harness.work();
      expect(await harness.rows(WORK)).to.deep.equal([]);
    });

    it('has as delivered what its receiver accepted after it answered 410 to another', async () => {
      await begin('e1', 'e2');
      const [first, second] = waiting;
      first?.writeHead(410).end();
      const disabled = `SELECT 1 FROM webhook_endpoints WHERE app_id = $1 AND status = 'disabled'`;
      while ((await harness.rows(disabled)).length === 0);
      second?.writeHead(200).end();
      await harness.worker.idle();
      const all = await states();
      expect(all).to.have.deep.members([
        ['failed', 'endpoint_disabled', 1, 'failed'],
        ['delivered', null, 1, 'completed'],
      ]);
      expect(await health()).to.include({ status: 'disabled' });
    });

    it('ends what fails then, with its attempt', async () => {
      await begin('e1');
      await change({ status: 'disabled' });
      await answer(500);
      await harness.work();
      expect(await states()).to.deep.equal([['failed', 'endpoint_disabled', 1, 'failed']]);
      expect(await answersRecorded()).to.deep.equal([500]);
      expect(receiver.received).to.have.length(1);
    });

    it('goes on with it when it is enabled again meanwhile, and sends nothing twice', async () => {
      await begin('e1', 'e2');
      await change({ status: 'disabled' });
      await change({ status: 'active' });
      const { recovered } = await harness.database.transaction(harness.appId, (tx) =>
        recoverWebhooks(tx, { appId: harness.appId, now: harness.now }, endpointId, { since: BEGINNING }),
      );
      expect(recovered).to.equal(0);
      await harness.work(harness.newWorker());
      await answer(200);
      await harness.work();
      expect(
        (await harness.deliveries()).map(({ status: state, attempts }) => [state, attempts]),
      ).to.deep.equal([
        ['delivered', 1],
        ['delivered', 1],
      ]);
      expect(receiver.received).to.have.length(2);
    });

    it('ends what a killed worker had under way when its lease is over', async () => {
      await begin('e1');
      await change({ status: 'disabled' });
      const next = harness.newWorker();
      await harness.work(next);
      harness.advance(29);
      await harness.work(next);
      expect(await states()).to.deep.equal([['pending', null, 0, 'running']]);
      harness.advance(1);
      await harness.work(next);
      expect(await states()).to.deep.equal([failed]);
      expect(await harness.rows(WORK)).to.deep.equal([]);
      await answer(200);
      expect(await states()).to.deep.equal([failed]);
    });
  });
});

const WORK = `SELECT 1 FROM work_queue WHERE app_id = $1 AND queue = 'delivery'`;

const BEGINNING = '2020-01-01T00:00:00Z';
