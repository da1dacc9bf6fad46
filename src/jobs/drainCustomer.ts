import { isLive } from '../access/consentGate.js';
import { tryLockHeads } from '../commands/customerHead.js';
import { requestLearning } from '../commands/requestLearning.js';
import type { Row } from '../database/Row.js';
import { tally } from '../database/tally.js';
import type { TallyChange } from '../database/tally.js';
import type { Transaction } from '../database/Transaction.js';
import type { Services } from '../Services.js';
import { isPassing } from '../database/sqlState.js';
import { headOf } from './applyInbox.js';
import type { InboxRow } from '../../entities/InboxEntity.js';
import type { Heads, Touched } from './applyInbox.js';
import { measureSettled } from './ingestMetrics.js';
import { HANDLERS } from './itemHandlers.js';
import { nextItems } from './nextItems.js';
import type { WorkOutcome } from './QueueWorker.js';
import { recordItemFailure } from './recordItemFailure.js';
import { reportFacts } from './reportFacts.js';
import { resolveFacts } from './resolveFacts.js';
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
const COMPANY = 99;

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
    const company = await chooseCompany(services, appId, customerId);
    const most = company.length === 0 ? BATCH : MAX_OF_EACH;
    return await drainSome(services, appId, [customerId, ...company], most);
  } catch (error) {
    if (isPassing(error)) throw error;
    return drainOneByOne(services, appId, customerId);
  }
}

/** The next customers in order that are ready and have not failed lately. Workers begin at different ones. */
async function chooseCompany(services: Services, appId: string, customerId: string): Promise<string[]> {
  const behind = await services.database.read<Row & { subject: string }>(BEHIND, [
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
    AND ready_at <= $3 AND attempts = 0 ORDER BY subject LIMIT ${COMPANY}`,
};

async function drainOneByOne(services: Services, appId: string, customerId: string): Promise<WorkOutcome> {
  try {
    for (let done = 0; done < BATCH; done += 1) {
      const outcome = await drainSome(services, appId, [customerId], 1);
      if (outcome !== 'more') return outcome;
    }
    return 'more';
  } catch (error) {
    if (isPassing(error)) throw error;
    services.log.warn({ err: error, app_id: appId, customer_id: customerId }, 'an item could not be applied');
    return recordItemFailure(services, appId, customerId, error);
  }
}

let draining = 0;

/** Whether this process is applying claims or events. */
export function isApplying(): boolean {
  return draining > 0;
}

/** The outcome of the first customer. The others are found again by the next look. */
async function drainSome(
  services: Services,
  appId: string,
  customerIds: readonly string[],
  most: number,
): Promise<WorkOutcome> {
  const drain = async (tx: Transaction): Promise<WorkOutcome> => {
    const heads = await tryLockHeads(tx, customerIds, { ofEach: most, ofAll: BATCH_OF_MANY });
    const [first = ''] = customerIds;
    if (heads.size === 0) return outcomeOfMissing(tx, first);
    // A new statement has a new snapshot: it sees all items accepted before the heads were locked.
    const { rows, unfinished } = await nextItems(tx, [...heads.keys()], most);
    if (rows.length > 0) await applyRows(tx, services, heads, rows);
    dequeueAll(
      tx,
      [...heads.keys()].filter((id) => !unfinished.has(id)),
    );
    if (!heads.has(first)) return outcomeOfMissing(tx, first);
    return unfinished.has(first) ? 'more' : 'done';
  };
  // A join that reads the whole inbox gets slower as the inbox grows.
  draining += 1;
  return services.database.transaction(appId, drain, { byKeys: true }).finally(() => (draining -= 1));
}

function dequeueAll(tx: Transaction, customerIds: readonly string[]): void {
  tx.send(`DELETE FROM work_queue WHERE app_id = $1 AND queue = 'customer' AND subject = ANY ($2)`, [
    tx.appId,
    customerIds,
  ]);
}

/** No head could be locked: another worker holds it, or the customer was erased and nothing is left. */
async function outcomeOfMissing(tx: Transaction, customerId: string): Promise<WorkOutcome> {
  const exists = await tx.one(
    'SELECT 1 AS found FROM customer_heads WHERE app_id = $1 AND customer_id = $2',
    [tx.appId, customerId],
  );
  if (exists !== undefined) return 'locked';
  dequeueAll(tx, [customerId]);
  return 'done';
}

async function applyRows(
  tx: Transaction,
  services: Services,
  heads: Heads,
  rows: readonly InboxRow[],
): Promise<void> {
  const touched: Touched = { facts: new Map(), objects: new Map() };
  const settled: TallyChange[] = [];
  // Kinds write to different tables, so only the order within each kind matters.
  for (const kind of ['claim', 'event'] as const) {
    const own = rows.filter((row) => row.kind === kind);
    const live = own.filter((row) => isLive(headOf(heads, row), row.purpose, row.epoch));
    const closed = own.filter((row) => !isLive(headOf(heads, row), row.purpose, row.epoch));
    if (live.length > 0) await HANDLERS[kind].apply(tx, services, heads, live, touched);
    if (closed.length > 0) await HANDLERS[kind].reject(tx, services, closed);
    measureSettled(tx, services, kind, 'applied', live);
    measureSettled(tx, services, kind, 'rejected', closed);
    settled.push([`${kind}_applied`, live.length], [`${kind}_refused`, closed.length]);
  }
  await resolveTouched(tx, services, touched);
  await updateIntents(tx, services, touched.objects.values());
  await removeItems(tx, services, rows);
  tally(tx, settled);
  moveCursors(tx, services, rows);
  reportFacts(tx, services, touched.facts.values());
}

async function resolveTouched(tx: Transaction, services: Services, { facts }: Touched): Promise<void> {
  await resolveFacts(tx, services, facts.values());
  const purposes = [...facts.values()].map(({ purpose }) => purpose);
  requestLearning(tx, purposes, services.clock());
}

/** Later claims belong to a new workflow. A retried item may lie before the cursor. */
function moveCursors(tx: Transaction, services: Services, rows: readonly InboxRow[]): void {
  const last = new Map(rows.map(({ customer_id, sequence }) => [customer_id, sequence]));
  tx.send(
    `UPDATE customer_heads h SET applied_sequence = greatest(applied_sequence, given.sequence),
      open_workflow_id = NULL, changed_at = $4
       FROM unnest($2::text[], $3::bigint[]) AS given (customer_id, sequence)
      WHERE h.app_id = $1 AND h.customer_id = given.customer_id`,
    [tx.appId, [...last.keys()], [...last.values()], services.clock()],
  );
}
