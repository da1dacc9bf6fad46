import { WORKFLOW_COLUMNS } from '../commands/workflowRow.js';
import type { WorkflowRow, WorkflowType } from '../commands/workflowRow.js';
import { announce } from '../database/outbox.js';
import type { Transaction } from '../database/Transaction.js';
import { dequeue, postpone } from '../database/workQueue.js';
import type { Services } from '../Services.js';
import { cascadeRevocation } from './cascadeRevocation.js';
import { recomputeFacts } from './learning/recomputeFacts.js';
import { rebuildEntryIndex } from './rebuildEntryIndex.js';

/** One bounded step of a workflow inside a transaction that holds the workflow's row; answers whether something is left. */
export type WorkflowStep = (tx: Transaction, services: Services, workflow: WorkflowRow) => Promise<boolean>;

const STEPS: Partial<Record<WorkflowType, WorkflowStep>> = {
  consent_revocation_cascade: cascadeRevocation,
  ontology_fields_rebuild: (tx, _services, workflow) => rebuildEntryIndex(tx, workflow),
  profile_recompute: recomputeFacts,
};

const MOST_ATTEMPTS = 5;
const FIRST_DELAY_MS = 1000;

/**
 * Does the next step of a workflow. Step and state commit together, so a kill at any instruction leaves a state from which
 * any worker goes on, and a workflow completes once.
 *
 * @returns whether the workflow has more to do right now
 */
export async function runWorkflow(services: Services, appId: string, workflowId: string): Promise<boolean> {
  try {
    return await services.database.transaction(appId, (tx) => advance(tx, services, workflowId));
  } catch (error) {
    services.log.error({ err: error, app_id: appId, workflow_id: workflowId }, 'workflow step failed');
    await services.database.transaction(appId, (tx) => recordFailure(tx, services, workflowId));
    return false;
  }
}

async function advance(tx: Transaction, services: Services, workflowId: string): Promise<boolean> {
  const workflow = await tryLockWorkflow(tx, workflowId);
  if (workflow === undefined) return false;
  const step = STEPS[workflow.type];
  const open = workflow.status === 'accepted' || workflow.status === 'running';
  const more = open && step !== undefined && (await step(tx, services, workflow));
  if (more) await setStatus(tx, services, workflow, 'running');
  else await finish(tx, services, workflow, open);
  return more;
}

async function finish(tx: Transaction, services: Services, workflow: WorkflowRow, open: boolean): Promise<void> {
  await dequeue(tx, 'workflow', workflow.workflow_id);
  if (!open) return;
  await setStatus(tx, services, workflow, 'completed');
  await announce(tx, {
    type: 'workflow.completed',
    data: { workflow_id: workflow.workflow_id, workflow_type: workflow.type, status: 'completed' },
  });
}

function tryLockWorkflow(tx: Transaction, workflowId: string): Promise<WorkflowRow | undefined> {
  return tx.one<WorkflowRow>(
    `SELECT ${WORKFLOW_COLUMNS} FROM workflows WHERE app_id = $1 AND workflow_id = $2 FOR NO KEY UPDATE SKIP LOCKED`,
    [tx.appId, workflowId],
  );
}

async function setStatus(
  tx: Transaction,
  services: Services,
  workflow: WorkflowRow,
  status: string,
  error?: unknown,
): Promise<void> {
  await tx.execute(
    'UPDATE workflows SET status = $3, error = $4, updated_at = $5 WHERE app_id = $1 AND workflow_id = $2',
    [tx.appId, workflow.workflow_id, status, error === undefined ? null : JSON.stringify(error), services.clock()],
  );
}

/** Tries again later, each time after twice the wait; gives up after the fifth failure, for the operator to look at. */
async function recordFailure(tx: Transaction, services: Services, workflowId: string): Promise<void> {
  const workflow = await tryLockWorkflow(tx, workflowId);
  if (workflow === undefined) return;
  const attempts = workflow.attempts + 1;
  await tx.execute('UPDATE workflows SET attempts = $3 WHERE app_id = $1 AND workflow_id = $2', [
    tx.appId,
    workflowId,
    attempts,
  ]);
  if (attempts < MOST_ATTEMPTS) {
    const readyAt = new Date(services.clock().getTime() + FIRST_DELAY_MS * 2 ** attempts);
    return postpone(tx, 'workflow', workflowId, readyAt);
  }
  await dequeue(tx, 'workflow', workflowId);
  const error = { code: 'internal_error', message: 'The work failed repeatedly; an operator can retry it.' };
  await setStatus(tx, services, workflow, 'failed', error);
  await announce(tx, {
    type: 'workflow.failed',
    data: { workflow_id: workflowId, workflow_type: workflow.type, status: 'failed', error_code: error.code },
  });
}
