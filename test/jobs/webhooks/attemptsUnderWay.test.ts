import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
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
});
