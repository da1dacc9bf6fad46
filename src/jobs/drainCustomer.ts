import { isLive, isSameGate } from '../access/consentGate.js';
import { lockHeads, takeWaiting } from '../commands/customerHead.js';
import type { Heads } from '../commands/customerHead.js';
import type { HeadLock } from '../commands/customerHead.js';
import { requestLearning } from '../commands/requestLearning.js';
import { announceAll, hasEndpoints } from '../database/outbox.js';
import { tally } from '../database/tally.js';
import type { Transaction } from '../database/Transaction.js';
import type { WebhookMessage } from '../domain/webhooks/WebhookMessage.js';
import type { Services } from '../Services.js';
import { isTransient, LOCK_NOT_AVAILABLE, sqlState, UNIQUE_VIOLATION } from '../database/sqlState.js';
import { headOf } from './ItemHandler.js';
import type { InboxRow } from '../../entities/InboxEntity.js';
import type { Touched } from './ItemHandler.js';
import { measureSettled } from './ingestMetrics.js';
import { HANDLERS } from './itemHandlers.js';
import { nextItems } from './nextItems.js';
import type { WorkOutcome } from './QueueWorker.js';
import { recordItemFailure } from './recordItemFailure.js';
import { messagesOfFacts } from './messagesOfFacts.js';
import { resolveFacts } from './resolveFacts.js';
import { unlessRested } from './SessionRested.js';
import { removeItems } from './settleWorkflows.js';
import { updateIntents } from './updateIntents.js';

/** Items of one customer that one transaction applies. Bounds how long heads are held. */
const BATCH = 200;

/**
 * Items of each customer of a transaction that drains several: what is made of a customer's items is made
 * once for all of them.
 */
const MAX_OF_EACH = 50;

/** Customers join such a transaction until about so many items wait for it. */
const BATCH_OF_MANY = 1250;

/** Further customers of one transaction: they share the commit and each statement. */
const MAX_OTHERS = 99;

/**
 * Applies the next items of a customer's inbox in order, and those of other waiting customers. The effect,
 * the cursor and the removal of the items commit in one transaction that holds the customers' heads, so
 * nothing is applied twice and no revocation comes in between.
 *
 * Items that cannot be applied together are tried customer by customer, then one by one. An item that fails
 * alone is retried later, each time after twice the wait, and finally given up. Meanwhile only that
 * customer's later items wait.
 */
export async function drainCustomer(
  services: Services,
  appId: string,
  customerId: string,
): Promise<WorkOutcome> {
  try {
    const others = await chooseOthers(services, appId, customerId);
    const most = others.length === 0 ? BATCH : MAX_OF_EACH;
    return await drainSome(services, appId, [customerId, ...others], most);
  } catch (error) {
    if (isTransient(error)) throw error;
    return drainOneByOne(services, appId, customerId);
  }
}

/**
 * The next customers in order that are ready and have not failed lately; none if the customer itself has.
 * Workers begin at different ones.
 */
async function chooseOthers(services: Services, appId: string, customerId: string): Promise<string[]> {
  const behind = await services.database.read<{ subject: string }>(BEHIND, [
    appId,
    customerId,
    services.clock(),
  ]);
  return behind.map(({ subject }) => subject);
}

const BEHIND = {
  name: 'customers_behind',
  inOrder: true,
  text: `SELECT subject FROM work_queue WHERE app_id = $1 AND queue = 'customer' AND subject > $2
    AND ready_at <= $3 AND attempts = 0 AND NOT EXISTS (SELECT FROM work_queue own WHERE own.app_id = $1
      AND own.queue = 'customer' AND own.subject = $2 AND own.attempts > 0)
    ORDER BY subject LIMIT ${MAX_OTHERS}`,
};

async function drainOneByOne(services: Services, appId: string, customerId: string): Promise<WorkOutcome> {
  try {
    for (let done = 0; done < BATCH; done += 1) {
      const outcome = await drainSome(services, appId, [customerId], 1);
      if (outcome !== 'more') return outcome;
    }
    return 'more';
  } catch (error) {
    if (isTransient(error)) throw error;
    services.log.warn({ err: error, app_id: appId, customer_id: customerId }, 'an item could not be applied');
    return recordItemFailure(services, appId, customerId, error);
  }
}

let draining = 0;

/** Whether this process is applying claims or events. */
export function isApplying(): boolean {
  return draining > 0;
}

/** The gate of a customer changed while what was made under it was not yet committed. */
class GateChanged extends Error {}

/** The longest wait for a lock: others may wait for heads that this transaction holds. */
const MAX_WAIT = '100ms';

/**
 * After each wait for a lock that was too long, the next transaction has the first of its customers, one in
 * so many.
 */
const FEWER = 4;

/** How long a customer rests that a lock held up, in milliseconds, the first time and from then on. */
const LOCKED_RESTS_MS = [500, 1000, 2000, 4000, 8000];

function isLostRace(error: unknown): boolean {
  return error instanceof GateChanged || [LOCK_NOT_AVAILABLE, UNIQUE_VIOLATION].includes(sqlState(error));
}

/**
 * The outcome of the first customer. The others are found again by the next look.
 *
 * Effects are prepared beside acceptance and withdrawals. When all is written the heads are locked against
 * both, and what was written commits only if no gate has changed since. Otherwise, or if a lock was long in
 * coming, it is made anew under that lock, without the heads that others hold
 * (docs/decisions/0054-applied-beside-acceptance.md).
 */
async function drainSome(
  services: Services,
  appId: string,
  customerIds: readonly string[],
  most: number,
): Promise<WorkOutcome> {
  const drainUnder = (lock: HeadLock, ids: readonly string[]): Promise<WorkOutcome> =>
    // A join that reads the whole inbox gets slower as the inbox grows.
    unlessRested(() =>
      services.database.transaction(appId, (tx) => drain(tx, services, ids, most, lock), {
        byKeys: true,
        lockTimeout: MAX_WAIT,
      }),
    );
  draining += 1;
  try {
    return await drainUnder('FOR KEY SHARE', customerIds);
  } catch (error) {
    if (!isLostRace(error)) throw error;
    return await drainFewer(services, appId, customerIds, (ids) => drainUnder('FOR NO KEY UPDATE', ids));
  } finally {
    draining -= 1;
  }
}

/**
 * Drains fewer and fewer customers until no lock holds them up. Who holds it may never let go, so a customer
 * that is held up alone rests: it would keep the app's workers from its other customers.
 */
async function drainFewer(
  services: Services,
  appId: string,
  customerIds: readonly string[],
  drainAll: (customerIds: readonly string[]) => Promise<WorkOutcome>,
): Promise<WorkOutcome> {
  for (let ids = customerIds; ; ids = ids.slice(0, Math.ceil(ids.length / FEWER))) {
    try {
      return await drainAll(ids);
    } catch (error) {
      if (sqlState(error) !== LOCK_NOT_AVAILABLE) throw error;
      if (ids.length === 1) return restLocked(services, appId, ids);
    }
  }
}

async function restLocked(
  services: Services,
  appId: string,
  [customerId]: readonly string[],
): Promise<WorkOutcome> {
  const now = services.clock().getTime();
  const ends = LOCKED_RESTS_MS.map((ms) => new Date(now + ms));
  await services.database.read(REST, [appId, customerId, ends]);
  services.log.warn({ app_id: appId, customer_id: customerId }, 'a lock in the database holds up a customer');
  return 'locked';
}

const REST = {
  name: 'rest_locked_customer',
  text: `UPDATE work_queue SET attempts = attempts + 1,
      ready_at = greatest(ready_at, ($3::timestamptz[])[1 + least(attempts, ${LOCKED_RESTS_MS.length - 1})])
    WHERE app_id = $1 AND queue = 'customer' AND subject = $2`,
};

async function drain(
  tx: Transaction,
  services: Services,
  customerIds: readonly string[],
  most: number,
  lock: HeadLock,
): Promise<WorkOutcome> {
  const [first = ''] = customerIds;
  const taken = await takeWaiting(tx, customerIds, { ofEach: most, ofAll: BATCH_OF_MANY }, lock);
  if (taken.size === 0) return outcomeOfMissing(tx, first);
  const ids = [...taken.keys()];
  // A new statement has a new snapshot: it sees all items accepted before the heads were locked.
  const { rows, unfinished } = await nextItems(tx, ids, most);
  const { live, closed } = groupByGate(taken, rows);
  const effects = await applyLive(tx, services, taken, live);
  const [heads, isTold] = await Promise.all([lockHeads(tx, ids), hasEndpoints(tx)]);
  const isChanged = [...taken].some(([id, head]) => !isSameGate(head, heads.get(id)));
  if (lock === 'FOR KEY SHARE' && isChanged) throw new GateChanged();
  await rejectClosed(tx, services, closed);
  if (rows.length > 0) await settleRows(tx, services, rows, isTold ? effects : undefined);
  dequeueAll(tx, ids);
  if (!taken.has(first)) return outcomeOfMissing(tx, first);
  return unfinished.has(first) ? 'more' : 'done';
}

/** Removes from the queue the customers without waiting items. The caller has locked their heads. */
function dequeueAll(tx: Transaction, customerIds: readonly string[]): void {
  tx.send(
    `DELETE FROM work_queue WHERE app_id = $1 AND queue = 'customer' AND subject = ANY ($2)
        AND NOT EXISTS (SELECT FROM inbox i WHERE i.app_id = $1 AND i.customer_id = subject
          AND i.failed_at IS NULL)`,
    [tx.appId, customerIds],
  );
}

/** Nothing waits any more, or the customer was erased, or somebody else holds it. */
async function outcomeOfMissing(tx: Transaction, customerId: string): Promise<WorkOutcome> {
  const found = await tx.one<{ exists: boolean }>(
    `SELECT EXISTS (SELECT FROM customer_heads h WHERE h.app_id = $1 AND h.customer_id = w.subject) AS exists
       FROM work_queue w WHERE w.app_id = $1 AND w.queue = 'customer' AND w.subject = $2`,
    [tx.appId, customerId],
  );
  if (found?.exists === true) return 'locked';
  if (found !== undefined) dequeueAll(tx, [customerId]);
  return 'done';
}

// Kinds write to different tables, so only the order within each kind matters.
const KINDS = ['claim', 'event'] as const;

type ByKind = Record<(typeof KINDS)[number], InboxRow[]>;

function groupByGate(heads: Heads, rows: readonly InboxRow[]): { live: ByKind; closed: ByKind } {
  const live: ByKind = { claim: [], event: [] };
  const closed: ByKind = { claim: [], event: [] };
  for (const row of rows) {
    const isOpen = isLive(headOf(heads, row), row.purpose, row.epoch);
    (isOpen ? live : closed)[row.kind].push(row);
  }
  return { live, closed };
}

/** Makes the messages about what was applied. */
type Effects = () => WebhookMessage[];

async function applyLive(tx: Transaction, services: Services, heads: Heads, live: ByKind): Promise<Effects> {
  const touched: Touched = { facts: new Map(), objects: new Map() };
  for (const kind of KINDS) {
    if (live[kind].length > 0) await HANDLERS[kind].apply(tx, services, heads, live[kind], touched);
    measureSettled(tx, services, kind, 'applied', live[kind]);
    tally(tx, [[`${kind}_applied`, live[kind].length]]);
  }
  await resolveTouched(tx, services, touched);
  const intents = await updateIntents(tx, services, touched.objects.values());
  return () => [...intents(), ...messagesOfFacts(services, touched.facts.values())];
}

async function rejectClosed(tx: Transaction, services: Services, closed: ByKind): Promise<void> {
  for (const kind of KINDS) {
    if (closed[kind].length === 0) continue;
    await HANDLERS[kind].reject(tx, services, closed[kind]);
    measureSettled(tx, services, kind, 'rejected', closed[kind]);
    tally(tx, [[`${kind}_refused`, closed[kind].length]]);
  }
}

/** @param effects undefined: nobody is told */
async function settleRows(
  tx: Transaction,
  services: Services,
  rows: readonly InboxRow[],
  effects: Effects | undefined,
): Promise<void> {
  const completed = await removeItems(tx, services, rows);
  moveCursors(tx, services, rows);
  if (effects !== undefined) announceAll(tx, [...completed, ...effects()]);
}

async function resolveTouched(tx: Transaction, services: Services, { facts }: Touched): Promise<void> {
  await resolveFacts(tx, services, facts.values());
  const purposes = [...facts.values()].map(({ purpose }) => purpose);
  requestLearning(tx, purposes, services.clock());
}

/**
 * Later claims belong to a new workflow. A retried item may lie before the cursor, and the clock before that
 * of the latest decision.
 */
function moveCursors(tx: Transaction, services: Services, rows: readonly InboxRow[]): void {
  const last = new Map(rows.map(({ customer_id, sequence }) => [customer_id, sequence]));
  tx.send(
    `UPDATE customer_heads h SET applied_sequence = greatest(applied_sequence, given.sequence),
      open_workflow_id = NULL, changed_at = greatest(changed_at, $4)
       FROM unnest($2::text[], $3::bigint[]) AS given (customer_id, sequence)
      WHERE h.app_id = $1 AND h.customer_id = given.customer_id`,
    [tx.appId, [...last.keys()], [...last.values()], services.clock()],
  );
}
