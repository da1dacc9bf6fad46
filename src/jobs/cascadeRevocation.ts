import { lockHead } from '../commands/customerHead.js';
import type { WorkflowRow } from '../commands/workflowRow.js';
import type { Transaction } from '../database/Transaction.js';
import { enqueue } from '../database/workQueue.js';
import { isPurpose, purposeIndex } from '../domain/purposes.js';
import type { Services } from '../Services.js';
import { requestLearning } from '../commands/requestLearning.js';

/** Rows that one transaction erases, so that a cascade of any size holds no lock for long. */
const BATCH = 1000;

interface ClosedEpoch {
  purpose: number;
  epoch: number;
}

/** Erases one closed epoch's rows from a table, at most `BATCH`; how many it erased. Each statement is single-app. */
type Eraser = (tx: Transaction, customerId: string, closed: ClosedEpoch) => Promise<number>;

const ERASERS: Eraser[] = [eraserOf('facts', 'attribute'), eraserOf('claims', 'sequence')];

function eraserOf(table: string, key: string): Eraser {
  return (tx, customerId, { purpose, epoch }) =>
    tx.execute(
      `DELETE FROM ${table} WHERE app_id = $1 AND customer_id = $2 AND purpose = $3 AND epoch <= $4 AND ${key} IN (
         SELECT ${key} FROM ${table} WHERE app_id = $1 AND customer_id = $2 AND purpose = $3 AND epoch <= $4 LIMIT ${BATCH})`,
      [tx.appId, customerId, purpose, epoch],
    );
}

/**
 * One step of a revocation cascade: erases a bounded part of what the closed epochs hold. Resumable by nature: what is
 * gone is gone, and the next step, on any node, goes on with the rest.
 *
 * @returns whether something may be left
 */
export async function cascadeRevocation(tx: Transaction, services: Services, workflow: WorkflowRow): Promise<boolean> {
  const customerId = String(workflow.subject['customer_id']);
  const head = await lockHead(tx, customerId);
  if (head === undefined) return false;
  for (const closed of closedEpochs(workflow)) {
    for (const erase of ERASERS) if ((await erase(tx, customerId, closed)) === BATCH) return true;
  }
  // Items of the closed epochs that still wait are refused by the worker that finds them.
  await enqueue(tx, 'customer', [customerId], services.clock());
  const purposes = closedEpochs(workflow).map(({ purpose }) => purpose);
  await requestLearning(tx, purposes, services.clock());
  return false;
}

function closedEpochs(workflow: WorkflowRow): ClosedEpoch[] {
  const closed = workflow.subject['closed'];
  if (!Array.isArray(closed)) return [];
  return closed.flatMap((item) => {
    const { purpose, epoch } = item as { purpose: string; epoch: number };
    return isPurpose(purpose) ? [{ purpose: purposeIndex(purpose), epoch }] : [];
  });
}
