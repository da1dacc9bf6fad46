import { expect } from 'chai';
import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { attemptDelivery } from '../../src/jobs/webhooks/attemptDelivery.js';
import { claimDeliveries } from '../../src/jobs/webhooks/claimDeliveries.js';
import type { ClaimedDelivery } from '../../src/jobs/webhooks/claimDeliveries.js';
import type { Send } from '../../src/jobs/webhooks/postWebhook.js';
import { sendThroughGate } from '../../src/jobs/webhooks/sendThroughGate.js';
import type { GateDecision } from '../../src/jobs/webhooks/sendThroughGate.js';
import { OutcomeRecorder } from '../../src/jobs/webhooks/OutcomeRecorder.js';
import { TestReceiver } from '../support/TestReceiver.js';
import { WebhookHarness } from '../support/WebhookHarness.js';
import { LOCAL_NETWORK, entryMessage } from '../support/webhookFixtures.js';
import { recordProof } from '../support/recordProof.js';
import { ReceiverConnections } from '../../src/jobs/webhooks/ReceiverConnections.js';
import { itInProofs } from '../support/itInProofs.js';

const ENDPOINTS = 200;
const HANGING = 20;
const HEALTHY = ENDPOINTS - HANGING;
const MESSAGES = 2;

interface Round {
  /** From the commit of a change to its arrival at each healthy receiver, in milliseconds. */
  delays: number[];
  /** Healthy deliveries that had arrived when the first attempt at a hanging receiver ended. */
  arrivedBeforeFirstTimeout: number;
}

/**
 * Something that sends what is due until it is stopped, and tells of every end of an attempt at a hanging
 * receiver.
 */
type StartSender = (
  harness: WebhookHarness,
  onEnd: (claim: ClaimedDelivery) => void,
) => { stop: () => Promise<void> };

const theWorker: StartSender = (harness, onEnd) => {
  const worker = harness.newWorker({ onOutcome: onEnd, clock: () => new Date() });
  worker.start();
  return { stop: () => worker.stop(0) };
};

/** The broken variant: all endpoints share sixteen slots. */
const sharedPool: StartSender = (harness, onEnd) => {
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  const clock = (): Date => new Date();
  const connections = new ReceiverConnections(LOCAL_NETWORK);
  const dispatcher = harness.newWorker({ clock });
  const queue: ClaimedDelivery[] = [];
  const find = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      await dispatcher.dispatchRound();
      const due = await harness.database.read<{ subject: string }>({
        name: 'pool_due',
        text: `SELECT subject FROM work_queue WHERE queue = 'delivery' AND ready_at <= now() ORDER BY subject`,
      });
      for (const { subject } of due)
        queue.push(...(await claimDeliveries(harness.database, harness.appId, [subject], clock())));
      await sleep(20);
    }
  };
  const slot = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      const claim = queue.shift();
      if (claim === undefined) await sleep(5);
      else await send(claim);
    }
  };
  const send = async (claim: ClaimedDelivery): Promise<void> => {
    const gate = (deliver: Send): Promise<GateDecision> =>
      sendThroughGate({ database: harness.database, secrets: harness.secrets, clock }, claim, deliver);
    const outcome = await attemptDelivery({
      url: claim.url,
      connections,
      clock,
      gate,
      signal: stop.signal,
      timeoutMs: 2000,
    });
    await new OutcomeRecorder(harness.database).record(claim, outcome, {
      now: clock(),
      random: 0.5,
    });
    onEnd(claim);
  };
  const running = [find(), ...Array.from({ length: 16 }, slot)];
  return {
    stop: async () => {
      stop.abort();
      await Promise.all(running);
    },
  };
};

/** Proof: receivers that hang delay no other. */
describe('Webhooks beside slow receivers', function () {
  this.timeout(300_000);
  let harness: WebhookHarness;
  let figure = '';
  let receiver: TestReceiver;

  before(async () => {
    harness = await WebhookHarness.open();
    receiver = await TestReceiver.start();
  });
  beforeEach(async () => {
    await harness.clear();
    receiver.received.length = 0;
  });
  after(async () => {
    await receiver.stop();
    await harness.close();
  });

  /** The same messages to the same 200 endpoints; the first 20 hang or answer. */
  async function round(start: StartSender, hang: boolean, patience = Infinity): Promise<Round> {
    await harness.clear();
    harness.now = new Date();
    receiver.received.length = 0;
    const hanging = new Set<string>();
    for (let n = 0; n < ENDPOINTS; n += 1) {
      const { endpoint } = await harness.register(receiver.url(n < HANGING ? `/hang/${n}` : `/fine/${n}`));
      if (n < HANGING) hanging.add(endpoint.id);
    }
    receiver.answer = ({ path }, response) => {
      if (!hang || path.startsWith('/fine/')) response.writeHead(204).end();
    };
    let arrivedBeforeFirstTimeout = -1;
    const arrived = (): number => receiver.received.filter(({ path }) => path.startsWith('/fine/')).length;
    const sender = start(harness, ({ endpointId }) => {
      if (hang && hanging.has(endpointId) && arrivedBeforeFirstTimeout < 0)
        arrivedBeforeFirstTimeout = arrived();
    });
    const committed = new Map<string, number>();
    for (let n = 0; n < MESSAGES; n += 1) {
      await harness.announce(entryMessage(`m${n}`));
      committed.set(`m${n}`, performance.now());
      await sleep(500);
    }
    const until = performance.now() + patience;
    while (arrived() < HEALTHY * MESSAGES && performance.now() < until) await sleep(10);
    if (arrivedBeforeFirstTimeout < 0) arrivedBeforeFirstTimeout = arrived();
    await sender.stop();
    const delays = receiver.received
      .filter(({ path }) => path.startsWith('/fine/'))
      .map(
        ({ body, at }) =>
          at - (committed.get((JSON.parse(body) as { data: { entry_id: string } }).data.entry_id) ?? 0),
      );
    return { delays, arrivedBeforeFirstTimeout };
  }

  it(`reach ${HEALTHY} receivers without delay while ${HANGING} others hang`, async () => {
    const alone: number[] = [];
    const beside: number[] = [];
    for (let pair = 0; pair < 2; pair += 1) {
      alone.push(...(await round(theWorker, false)).delays);
      const { delays, arrivedBeforeFirstTimeout } = await round(theWorker, true);
      expect(arrivedBeforeFirstTimeout).to.equal(HEALTHY * MESSAGES);
      beside.push(...delays);
    }
    console.log(
      `      median delay ${median(alone)} ms without hanging receivers, ${median(beside)} ms beside them`,
    );
    expect(beside.length).to.equal(alone.length);
    figure = `${beside.length} delivered before the first attempt at a hanging one ended; median ${median(beside)} ms, alone ${median(alone)} ms`;
  });

  itInProofs('are delayed when all endpoints share a pool (control)', async () => {
    const { arrivedBeforeFirstTimeout } = await round(sharedPool, true, 4000);
    expect(arrivedBeforeFirstTimeout).to.be.lessThan(HEALTHY * MESSAGES);
    recordProof({
      proof: 'webhookIsolation',
      injected: `${HANGING} of ${ENDPOINTS} receivers hang`,
      times: 2,
      checked: 'all others are served before the first attempt at a hanging one ends',
      figure,
      broken: `a pool that all share: ${arrivedBeforeFirstTimeout} of ${HEALTHY * MESSAGES} by then`,
    });
  });
});

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0);
}
