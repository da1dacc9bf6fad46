import { lockHead } from '../commands/customerHead.js';
import type { CustomerHead } from '../commands/customerHead.js';
import { requestLearning } from '../commands/requestLearning.js';
import type { WorkflowRow } from '../../entities/WorkflowEntity.js';
import { announceAll } from '../database/outbox.js';
import { tally } from '../database/tally.js';
import type { Transaction } from '../database/Transaction.js';
import { isPurpose, PLACE_OF } from '../domain/purposes.js';
import type { Services } from '../Services.js';
import { INBOX_COLUMNS } from '../../entities/InboxEntity.js';
import type { InboxRow } from '../../entities/InboxEntity.js';
import { HANDLERS } from './itemHandlers.js';
import { measureSettled } from './ingestMetrics.js';
import { closeSharedWorkflow, removeItems } from './settleWorkflows.js';

/** Rows that one transaction erases: a cascade of any size holds no lock for long. */
const BATCH = 1000;

interface ClosedEpoch {
  purpose: number;
  epoch: number;
}

interface Step {
  tx: Transaction;
  services: Services;
  head: CustomerHead;
  closed: ClosedEpoch;
}

/** Erases at most `BATCH` rows of a closed epoch and returns how many. Each statement is single-app. */
type Eraser = (step: Step) => Promise<number>;

const ERASERS: Eraser[] = [
  rejectQueued,
  eraserOf('facts', 'attribute'),
  eraserOf('intents', 'intent_id'),
  eraserOf('claims', 'sequence'),
  eraserOf('event_keys', 'event_key'),
  emptyEvents,
];

/**
 * One step of a revocation cascade: erases a bounded part of what the closed epochs hold. The next step, on
 * any node, continues with the rest.
 *
 * @returns whether something may be left
 */
export async function cascadeRevocation(
  tx: Transaction,
  services: Services,
  workflow: WorkflowRow,
): Promise<boolean> {
  const head = await lockHead(tx, String(workflow.subject['customer_id']), 'FOR UPDATE');
  if (head === undefined) return false;
  for (const closed of closedEpochs(workflow)) {
    for (const erase of ERASERS) if ((await erase({ tx, services, head, closed })) === BATCH) return true;
  }
  const purposes = closedEpochs(workflow).map(({ purpose }) => purpose);
  requestLearning(tx, purposes, services.clock());
  return false;
}

/** Refuses waiting items of the closed epoch, including those given up before. */
async function rejectQueued({ tx, services, head, closed }: Step): Promise<number> {
  const rows = await tx.query<InboxRow>(
    `SELECT ${INBOX_COLUMNS} FROM inbox
      WHERE app_id = $1 AND customer_id = $2 AND purpose = $3 AND epoch <= $4
     ORDER BY sequence LIMIT ${BATCH}`,
    [tx.appId, head.customer_id, closed.purpose, closed.epoch],
  );
  if (rows.length === 0) return 0;
  for (const kind of ['claim', 'event'] as const) {
    const own = rows.filter((row) => row.kind === kind);
    if (own.length === 0) continue;
    await HANDLERS[kind].reject(tx, services, own);
    measureSettled(tx, services, kind, 'rejected', own);
    // Those given up were counted then.
    tally(tx, [[`${kind}_refused`, own.filter((row) => row.failed_at === null).length]]);
  }
  announceAll(tx, await removeItems(tx, services, rows));
  await closeSharedWorkflow(tx, head.customer_id);
  return rows.length;
}

function eraserOf(table: string, key: string): Eraser {
  return ({ tx, head, closed }) =>
    tx.execute(
      `DELETE FROM ${table} WHERE app_id = $1 AND customer_id = $2 AND purpose = $3 AND epoch <= $4
        AND ${key} IN (
         SELECT ${key} FROM ${table} WHERE app_id = $1 AND customer_id = $2 AND purpose = $3 AND epoch <= $4
           LIMIT ${BATCH})`,
      [tx.appId, head.customer_id, closed.purpose, closed.epoch],
    );
}

/** An event stays readable with its status, without its content (docs/contract.md#consent). */
function emptyEvents({ tx, head, closed }: Step): Promise<number> {
  return tx.execute(
    `UPDATE events SET event_type = NULL, object = NULL, category = NULL, occurred_at = NULL, payload = NULL
     WHERE app_id = $1 AND customer_id = $2 AND sequence IN (
       SELECT sequence FROM events
        WHERE app_id = $1 AND customer_id = $2 AND purpose = $3 AND epoch <= $4 AND object IS NOT NULL
          LIMIT ${BATCH})`,
    [tx.appId, head.customer_id, closed.purpose, closed.epoch],
  );
}

function closedEpochs(workflow: WorkflowRow): ClosedEpoch[] {
  const closed = workflow.subject['closed'];
  if (!Array.isArray(closed)) return [];
  return closed.flatMap((item) => {
    const { purpose, epoch } = item as { purpose: string; epoch: number };
    return isPurpose(purpose) ? [{ purpose: PLACE_OF[purpose], epoch }] : [];
  });
}
