import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { DAY_MS } from '../../domain/timestamp.js';
import { insertWorkflow } from '../../commands/insertWorkflow.js';
import type { Transaction } from '../../database/Transaction.js';
import { dequeue, enqueue, enqueueAt, postpone } from '../../database/workQueue.js';
import { learningSubject, readLearningSubject } from '../../domain/learningSubject.js';
import { ClaimTable } from '../../domain/resolution/ClaimTable.js';
import { learnSnapshot } from '../../domain/resolution/learnSnapshot.js';
import type { AccuracySnapshot } from '../../domain/resolution/types.js';
import type { Services } from '../../Services.js';
import { isApplying } from '../drainCustomer.js';
import { runWorkflow } from '../runWorkflow.js';
import { measureLearned } from './learningMetrics.js';
import { readLiveClaims } from './readLiveClaims.js';
import { LEARNING_DELAY_MS, lockOutWithdrawals, SETTLE_MS } from '../../commands/requestLearning.js';

/** A worker may be silent so long before another takes over its work. */
const LEASE_MS = 120_000;

/** A run that a withdrawal ended begins anew with this part of its customers: it ends sooner. */
const FEWER = 4;
const MAX_FEWER = 6;

/** The pause after a step while items are applied, as a multiple of the step's duration. */
const REST_PER_STEP = 9;

/** The pauses after learning and after resolving the facts again, as multiples of what these cost. */
const REST_PER_LEARNING = 20;
const REST_PER_RECOMPUTE = 4;

/** If the snapshot did not change, facts are resolved again only for their age, after this time. */
const STALE_MS = 43_200_000;

/**
 * Works the queue `learning` (`LearningSubject`). After a kill the lease of a run ends and another worker
 * begins again.
 */
export async function learnSources(
  services: Services,
  appId: string,
  subject: string,
  stopping?: AbortSignal,
): Promise<void> {
  const about = readLearningSubject(subject);
  const take = (work: (tx: Transaction) => Promise<void>): Promise<void> =>
    services.database.transaction(appId, work);
  if (about.kind === 'recompute') await runRecompute(services, appId, about.workflowId, stopping);
  else if (about.kind === 'run') await learn(services, appId, about.purpose, stopping);
  else if (about.kind === 'daily') await take((tx) => takeDaily(tx, services, about.purpose));
  else await take((tx) => takeRequest(tx, services, about.purpose));
}

/** Whether the subject is a run of learning. */
export function isRun(subject: string): boolean {
  return readLearningSubject(subject).kind === 'run';
}

/** One step. The workflow stays in the queue until it has ended, so that other subjects get their turn. */
async function runRecompute(
  services: Services,
  appId: string,
  workflowId: string,
  stopping: AbortSignal | undefined,
): Promise<void> {
  const begun = performance.now();
  if ((await runWorkflow(services, appId, workflowId)) === 'more')
    return rest(performance.now() - begun, stopping);
  await services.database.transaction(appId, async (tx) => {
    const open = await tx.one(
      `SELECT 1 FROM workflows WHERE app_id = $1 AND workflow_id = $2 AND status IN ('accepted', 'running')`,
      [appId, workflowId],
    );
    if (open === undefined) await dequeue(tx, 'learning', workflowId);
    else await postpone(tx, 'learning', workflowId, later(services.clock(), LEARNING_DELAY_MS));
  });
}

/** Leaves most of the time to the items that are applied. @param taken milliseconds of the last step */
async function rest(taken: number, stopping: AbortSignal | undefined): Promise<void> {
  if (!isApplying()) return setImmediate();
  await sleep(REST_PER_STEP * taken, undefined, { signal: stopping }).catch(() => undefined);
}

function later(now: Date, milliseconds: number): Date {
  return new Date(now.getTime() + milliseconds);
}

async function takeDaily(tx: Transaction, services: Services, purpose: number): Promise<void> {
  const now = services.clock();
  await postpone(tx, 'learning', learningSubject('daily', purpose), later(now, DAY_MS));
  enqueue(tx, 'learning', [learningSubject('request', purpose)], now);
}

/** Turns a request into a run, unless the last one still runs or was too recent for its cost. */
async function takeRequest(tx: Transaction, services: Services, purpose: number): Promise<void> {
  const now = services.clock();
  const request = learningSubject('request', purpose);
  const wait = await waitBefore(tx, purpose, now);
  if (wait > 0) return postpone(tx, 'learning', request, later(now, wait));
  await lockOutWithdrawals(tx);
  const taken = await tx.execute(
    `DELETE FROM work_queue WHERE app_id = $1 AND queue = 'learning' AND subject = $2 AND ready_at <= $3`,
    [tx.appId, request, now],
  );
  if (taken === 0) return;
  enqueueAt(tx, 'learning', [learningSubject('run', purpose)], later(now, SETTLE_MS));
  enqueueAt(tx, 'learning', [learningSubject('daily', purpose)], later(now, DAY_MS));
}

interface LastLearning {
  learned_at: string;
  cost_ms: number;
  /** Of the workflow that resolved the facts with it. */
  status: string | null;
  updated_at: string | null;
  /** Without its rests; null also after a workflow of a version that did not count it. */
  recompute_ms: number | null;
}

/** Milliseconds until learning may begin. Most of the time is left to other work. */
async function waitBefore(tx: Transaction, purpose: number, now: Date): Promise<number> {
  const last = await tx.one<LastLearning>(
    `SELECT s.learned_at, s.cost_ms, w.status, w.updated_at,
            (w.subject ->> 'cost_ms')::double precision AS recompute_ms FROM source_accuracies s
       LEFT JOIN workflows w ON w.app_id = $1 AND w.workflow_id = s.recompute_workflow_id
      WHERE s.app_id = $1 AND s.purpose = $2`,
    [tx.appId, purpose],
  );
  const run = await tx.one(
    `SELECT 1 FROM work_queue WHERE app_id = $1 AND queue = 'learning' AND subject = $2`,
    [tx.appId, learningSubject('run', purpose)],
  );
  if (run !== undefined || last?.status === 'accepted' || last?.status === 'running')
    return LEARNING_DELAY_MS;
  return last === undefined ? 0 : restedAt(last) - now.getTime();
}

function restedAt({ learned_at, cost_ms, updated_at, recompute_ms }: LastLearning): number {
  const afterLearning = Date.parse(learned_at) + REST_PER_LEARNING * cost_ms;
  const afterResolving = Date.parse(updated_at ?? learned_at) + REST_PER_RECOMPUTE * (recompute_ms ?? 0);
  return Math.max(afterLearning, afterResolving);
}

/**
 * A worker's lease on a run. A worker whose lease has ended may not write. A withdrawal ends it: what the
 * worker has read may be withdrawn (`restartLearning`).
 */
class Lease {
  private constructor(
    private readonly services: Services,
    private readonly appId: string,
    private readonly subject: string,
    private until: Date,
  ) {}

  /** How often a withdrawal has ended the run. */
  private restarts = 0;

  /** The run reads one of so many customers: all, unless a withdrawal ended it. Failing changes nothing. */
  get oneOf(): number {
    return FEWER ** Math.min(this.restarts, MAX_FEWER);
  }

  static async take(services: Services, appId: string, subject: string): Promise<Lease | undefined> {
    const now = services.clock();
    const lease = new Lease(services, appId, subject, later(now, LEASE_MS));
    return (await lease.move('ready_at <= $4', now)) ? lease : undefined;
  }

  /** Whether the lease is still ours. It is renewed when a third of it has passed. */
  async keep(): Promise<boolean> {
    const now = this.services.clock();
    if (this.until.getTime() - now.getTime() > (LEASE_MS * 2) / 3) return true;
    const before = this.until;
    this.until = later(now, LEASE_MS);
    return this.move('ready_at = $4', before);
  }

  /** Lets another worker begin again at once. */
  async giveBack(): Promise<void> {
    const before = this.until;
    this.until = this.services.clock();
    await this.move('ready_at = $4', before);
  }

  private async move(condition: string, value: Date): Promise<boolean> {
    const moved = await this.services.database.transaction(this.appId, (tx) =>
      tx.one<{ restarts: number }>(
        `UPDATE work_queue SET ready_at = $3 WHERE app_id = $1 AND queue = 'learning' AND subject = $2
          AND ${condition} RETURNING restarts`,
        [this.appId, this.subject, this.until, value],
      ),
    );
    this.restarts = moved?.restarts ?? 0;
    return moved !== undefined;
  }

  /** Ends the run, in the transaction that records its outcome. */
  async end(tx: Transaction): Promise<boolean> {
    const ended = await tx.execute(
      `DELETE FROM work_queue WHERE app_id = $1 AND queue = 'learning' AND subject = $2 AND ready_at = $3`,
      [this.appId, this.subject, this.until],
    );
    return ended === 1;
  }
}

async function learn(
  services: Services,
  appId: string,
  purpose: number,
  stopping: AbortSignal | undefined,
): Promise<void> {
  const lease = await Lease.take(services, appId, learningSubject('run', purpose));
  if (lease === undefined) return;
  const learned = await learnInSteps(services, appId, purpose, lease, stopping);
  if (learned === undefined) return;
  const { snapshot, costMs } = learned;
  await services.database.transaction(appId, async (tx) => {
    if (await lease.end(tx)) await record(tx, services, purpose, snapshot, costMs);
  });
}

/**
 * Reads and learns in small steps, with other work of the process between them; undefined when the lease was
 * lost or the process stops.
 */
async function learnInSteps(
  services: Services,
  appId: string,
  purpose: number,
  lease: Lease,
  stopping: AbortSignal | undefined,
): Promise<{ snapshot: AccuracySnapshot; costMs: number } | undefined> {
  let cost = 0;
  let begun = performance.now();
  const endStep = async (): Promise<boolean> => {
    const taken = performance.now() - begun;
    cost += taken;
    await rest(taken, stopping);
    begun = performance.now();
    if (stopping?.aborted !== true) return lease.keep();
    await lease.giveBack();
    return false;
  };
  const table = new ClaimTable(services.attributes);
  for await (const facts of readLiveClaims(services, appId, purpose, lease.oneOf)) {
    for (const { key, claims } of facts) table.addFact(key, claims);
    if (!(await endStep())) return undefined;
  }
  const learning = learnSnapshot(table.read(), 0);
  for (let step = learning.next(); ; step = learning.next()) {
    if (step.done === true)
      return { snapshot: step.value, costMs: Math.ceil(cost + performance.now() - begun) };
    if (!(await endStep())) return undefined;
  }
}

/**
 * Stores the snapshot under the next version and starts resolving the facts again in the background. An
 * unchanged snapshot within `STALE_MS` of the last only stores its cost.
 */
async function record(
  tx: Transaction,
  services: Services,
  purpose: number,
  snapshot: AccuracySnapshot,
  costMs: number,
): Promise<void> {
  measureLearned(tx, snapshot.model);
  const now = services.clock();
  const text = JSON.stringify(snapshot);
  const unchanged = await tx.execute(
    `UPDATE source_accuracies SET cost_ms = $4 WHERE app_id = $1 AND purpose = $2 AND snapshot = $3
      AND learned_at > $5`,
    [tx.appId, purpose, text, costMs, later(now, -STALE_MS)],
  );
  if (unchanged > 0) return;
  const workflowId = insertWorkflow(tx, 'profile_recompute', { purpose, after: '' }, now);
  await tx.execute(
    `INSERT INTO source_accuracies (app_id, purpose, version, snapshot, cost_ms, recompute_workflow_id,
      learned_at)
     VALUES ($1, $2, 1, $3, $4, $5, $6)
     ON CONFLICT (app_id, purpose) DO UPDATE SET version = source_accuracies.version + 1,
       snapshot = excluded.snapshot,
       cost_ms = excluded.cost_ms, recompute_workflow_id = excluded.recompute_workflow_id,
       learned_at = excluded.learned_at`,
    [tx.appId, purpose, text, costMs, workflowId, now],
  );
  // Facts that are being resolved with the former snapshot have committed by then.
  enqueueAt(tx, 'learning', [workflowId], later(now, SETTLE_MS));
}
