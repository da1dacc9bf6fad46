import { setMaxListeners } from 'node:events';
import { atMost } from '../../concurrency/atMost.js';
import type { Database } from '../../database/Database.js';
import type { SecretBox } from '../../domain/SecretBox.js';
import { groupBy } from '../../domain/groupBy.js';
import { DueWork } from '../DueWork.js';
import type { Task } from '../DueWork.js';
import { WorkLoop } from '../WorkLoop.js';
import { attemptDelivery } from './attemptDelivery.js';
import type { AttemptOutcome } from './AttemptOutcome.js';
import { claimDeliveries } from './claimDeliveries.js';
import type { ClaimedDelivery } from './claimDeliveries.js';
import type { ReceiverNetwork } from './connectToReceiver.js';
import { Turns } from '../../concurrency/Turns.js';
import { DeliveryGate } from './DeliveryGate.js';
import type { Tracing } from '../../telemetry/tracing.js';
import { appsWithMessages, dispatchOutbox } from './dispatchOutbox.js';
import { OutcomeRecorder } from './OutcomeRecorder.js';
import { ReceiverConnections } from './ReceiverConnections.js';

export interface WebhookWorkerOptions {
  database: Database;
  secrets: SecretBox;
  clock: () => Date;
  tracing?: Tracing | undefined;
  network: ReceiverNetwork;
  /** Called with failures on our side. Never gets a body, a secret or an answer. */
  onError: (error: unknown, what: string) => void;
  /** Called with every outcome, for metrics. */
  onOutcome?: (claim: ClaimedDelivery, outcome: AttemptOutcome) => void;
  /** In [0, 1), for the jitter. */
  random?: () => number;
  /** Interval between reads of the queue without a signal, in milliseconds. */
  pollMs?: number;
  /** Time limit of an attempt, in milliseconds; shorter in tests only. */
  timeoutMs?: number;
  /** Maximum concurrent transactions of one app, if less than three; those of all apps are twice as many. */
  turnsOfApp?: number;
}

/** Concurrent attempts of this process. An endpoint has at most sixteen, a failing one a single one. */
const MAX_ATTEMPTS_AT_ONCE = 1000;

/** Claims that run at once, so that others can use the database pool too. */
const CLAIMS_AT_ONCE = 3;

/** Endpoints of one app in one claiming transaction. */
const ENDPOINTS_A_CLAIM = 25;

/**
 * Maximum concurrent transactions of all apps and of one, and the queue of an app for them above which
 * nothing more of it is claimed. Those that wait for a lock do not count (`DeliveryGate`).
 */
const TURNS = 4;
const TURNS_OF_APP = 3;
const MAX_QUEUED = 50;

/** Maximum wait for running attempts when the service stops, in milliseconds. */
export const STOP_GRACE_MS = 6000;

/**
 * Sends webhooks: turns messages of the outbox into deliveries and attempts those that are due. Any number of
 * workers may run. Each may be killed at any instruction: another continues after the lease ends.
 */
export class WebhookWorker {
  private readonly options: WebhookWorkerOptions;
  private readonly turns: Turns;
  private readonly outcomes: OutcomeRecorder;
  private readonly gate: DeliveryGate;
  private readonly connections: ReceiverConnections;
  /** Attempts, with their apps. */
  private readonly running = new Map<Promise<void>, string>();
  private readonly due: DueWork;
  private readonly breakOff = new AbortController();
  private readonly loops: readonly WorkLoop[];
  private started = false;

  constructor({ turnsOfApp = TURNS_OF_APP, ...given }: WebhookWorkerOptions) {
    const perApp = Math.min(turnsOfApp, TURNS_OF_APP);
    this.turns = new Turns({ perApp, room: Math.min(2, TURNS / perApp), waitMs: Infinity });
    const options = { ...given, database: given.database.withTurns(this.turns) };
    this.options = options;
    this.outcomes = new OutcomeRecorder(options.database, {
      roomFor: (appId) => (this.started && this.hasRoom() ? this.roomFor(appId) : 0),
      take: (claims) => this.sendAll(claims),
    });
    this.gate = new DeliveryGate(options);
    this.due = new DueWork(options.database, 'delivery');
    this.connections = new ReceiverConnections(options.network);
    // Every attempt listens to the signal.
    setMaxListeners(0, this.breakOff.signal);
    this.loops = [
      this.loop('outbox', () => this.dispatchRound()),
      this.loop('delivery', () => this.deliveryRound()),
    ];
  }

  start(): void {
    this.started = true;
    for (const loop of this.loops) loop.start();
  }

  /**
   * Claims nothing more, waits for running attempts up to a limit, then aborts them and returns them to the
   * queue.
   */
  async stop(graceMs = STOP_GRACE_MS): Promise<void> {
    this.started = false;
    const done = Promise.all(this.loops.map((loop) => loop.stop())).then(() => this.idle());
    await atMost(graceMs, done);
    this.breakOff.abort();
    await done;
    this.connections.close();
  }

  /** One pass over all apps with messages. Returns how many of them have more. */
  async dispatchRound(): Promise<number> {
    const { database, clock, onError } = this.options;
    let more = 0;
    for (const appId of await appsWithMessages(database)) {
      // A failing app (its node may be lost) does not stop the others.
      const left = await dispatchOutbox(database, appId, clock).catch((error: unknown) => {
        onError(error, 'webhook outbox');
        return false;
      });
      more += left ? 1 : 0;
    }
    return more;
  }

  /** Starts an attempt of every due delivery without waiting for it. Returns how many were started. */
  async deliveryRound(): Promise<number> {
    if (!this.hasRoom()) return 0;
    const looks = endpointsByApp(await this.due.find(this.options.clock()));
    let started = 0;
    const claimNext = async (): Promise<void> => {
      for (let next = looks.shift(); next !== undefined; next = looks.shift()) {
        // Not `started += await …`: that adds to the value before the wait.
        const count = await this.claimAndSend(next);
        started += count;
      }
    };
    await Promise.all(Array.from({ length: CLAIMS_AT_ONCE }, claimNext));
    return started;
  }

  /** Resolves when no attempt runs. */
  async idle(): Promise<void> {
    while (this.running.size > 0) await Promise.all(this.running.keys());
  }

  private hasRoom(): boolean {
    return this.running.size < MAX_ATTEMPTS_AT_ONCE;
  }

  /** How many deliveries of an app to claim. It leaves as many attempts to others as it makes itself. */
  private roomFor(appId: string): number {
    if (this.turns.queued(appId) >= MAX_QUEUED) return 0;
    const own = [...this.running.values()].filter((app) => app === appId).length;
    const left = MAX_ATTEMPTS_AT_ONCE - this.running.size - own;
    return Math.max(0, Math.min(left, this.gate.roomFor(appId)));
  }

  private async claimAndSend({ appId, endpointIds }: AppEndpoints): Promise<number> {
    const { database, clock } = this.options;
    const claims = await claimDeliveries(database, appId, endpointIds, clock(), this.roomFor(appId));
    this.sendAll(claims);
    return claims.length;
  }

  private sendAll(claims: readonly ClaimedDelivery[]): void {
    for (const claim of claims) this.track(claim.appId, this.send(claim));
  }

  private async send(claim: ClaimedDelivery): Promise<void> {
    const { clock, tracing, random = Math.random } = this.options;
    const outcome = await attemptDelivery({
      url: claim.url,
      connections: this.connections,
      clock,
      tracing,
      gate: (deliver) => this.gate.pass(claim, deliver),
      signal: this.breakOff.signal,
      ...(this.options.timeoutMs === undefined ? {} : { timeoutMs: this.options.timeoutMs }),
    });
    await this.outcomes.record(claim, outcome, { now: clock(), random: random() });
    this.options.onOutcome?.(claim, outcome);
  }

  /** A failure here is on our side: the delivery is attempted again after the lease. */
  private track(appId: string, work: Promise<void>): void {
    const tracked = work.catch((error: unknown) => this.options.onError(error, 'webhook attempt'));
    this.running.set(tracked, appId);
    void tracked.finally(() => this.running.delete(tracked));
  }

  private loop(queue: 'outbox' | 'delivery', round: () => Promise<number>): WorkLoop {
    const { pollMs = 250, onError } = this.options;
    return new WorkLoop({
      queue,
      pollMs,
      round: async () => (await round()) > 0,
      onError: (error) => onError(error, `webhook ${queue}`),
    });
  }
}

interface AppEndpoints {
  appId: string;
  endpointIds: string[];
}

function endpointsByApp(due: readonly Task[]): AppEndpoints[] {
  return [...groupBy(due, ({ app_id }) => app_id)].flatMap(([appId, own]) =>
    Array.from({ length: Math.ceil(own.length / ENDPOINTS_A_CLAIM) }, (_, at) => ({
      appId,
      endpointIds: own
        .slice(at * ENDPOINTS_A_CLAIM, (at + 1) * ENDPOINTS_A_CLAIM)
        .map(({ subject }) => subject),
    })),
  );
}
