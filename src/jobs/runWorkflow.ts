import { WORKFLOW_COLUMNS } from '../../entities/WorkflowEntity.js';
import type { WorkflowRow } from '../../entities/WorkflowEntity.js';
import { announce } from '../database/outbox.js';
import type { Transaction } from '../database/Transaction.js';
import { dequeue, retryWork } from '../database/workQueue.js';
import { backOff } from '../domain/backOff.js';
import type { WorkflowType } from '../domain/workflows.js';
import type { Services } from '../Services.js';
import { isTransient } from '../database/sqlState.js';
import { cascadeRevocation } from './cascadeRevocation.js';
import { givenUp, MAX_RETRIES } from './givenUp.js';
import { recomputeFacts } from './learning/recomputeFacts.js';
import type { WorkOutcome } from './QueueWorker.js';
import { rebuildEntryIndex } from './rebuildEntryIndex.js';
import { unlessRested } from './SessionRested.js';
import { failWorkflow } from './settleWorkflows.js';

/** One bounded step of a workflow, in a transaction that holds its row. Returns whether something is left. */
export type WorkflowStep = (tx: Transaction, services: Services, workflow: WorkflowRow) => Promise<boolean>;

/** The webhook worker carries out deliveries. */
const STEPS: Readonly<Record<Exclude<WorkflowType, 'webhook_delivery'>, WorkflowStep>> = {
  consent_revocation_cascade: cascadeRevocation,
  ontology_fields_rebuild: (tx, _services, workflow) => rebuildEntryIndex(tx, workflow),
  profile_recompute: recomputeFacts,
};

/** The wait before the first retry. It doubles each time. */
const FIRST_DELAY_MS = 1000;

/**
 * Runs the next step of a workflow. Step and state commit together: after a kill at any instruction any
 * worker continues, and a workflow completes once.
 */
export async function runWorkflow(
  services: Services,
  appId: string,
  workflowId: string,
): Promise<WorkOutcome> {
  try {
    const step = (tx: Transaction): Promise<WorkOutcome> => advance(tx, services, workflowId);
    return await unlessRested(() => services.database.transaction(appId, step, { byKeys: true }));
  } catch (error) {
    if (isTransient(error)) throw error;
    services.log.error({ err: error, app_id: appId, workflow_id: workflowId }, 'workflow step failed');
    return services.database.transaction(appId, (tx) => recordFailure(tx, services, workflowId));
  }
}

async function advance(tx: Transaction, services: Services, workflowId: string): Promise<WorkOutcome> {
  const workflow = await tryLockWorkflow(tx, workflowId);
  if (workflow === undefined) return 'locked';
  const open = workflow.status === 'accepted' || workflow.status === 'running';
  const more = open && (await stepOf(workflow)(tx, services, workflow));
  if (more) await setStatus(tx, services, workflow, 'running');
  else await finish(tx, services, workflow, open);
  return more ? 'more' : 'done';
}

function stepOf({ type }: WorkflowRow): WorkflowStep {
  if (type === 'webhook_delivery') throw new Error('The webhook worker carries out deliveries.');
  return STEPS[type];
}

async function finish(
  tx: Transaction,
  services: Services,
  workflow: WorkflowRow,
  open: boolean,
): Promise<void> {
  await dequeue(tx, 'workflow', workflow.workflow_id);
  if (!open) return;
  await setStatus(tx, services, workflow, 'completed');
  announce(tx, {
    type: 'workflow.completed',
    data: { workflow_id: workflow.workflow_id, workflow_type: workflow.type, status: 'completed' },
    at: services.clock(),
  });
}

function tryLockWorkflow(tx: Transaction, workflowId: string): Promise<WorkflowRow | undefined> {
  return tx.one<WorkflowRow>(
    `SELECT ${WORKFLOW_COLUMNS} FROM workflows WHERE app_id = $1 AND workflow_id = $2
      FOR NO KEY UPDATE SKIP LOCKED`,
    [tx.appId, workflowId],
  );
}

async function setStatus(
  tx: Transaction,
  services: Services,
  workflow: WorkflowRow,
  status: 'running' | 'completed',
): Promise<void> {
  // A successful step resets the count of failures.
  await tx.execute(
    `UPDATE workflows SET status = $3, error = NULL, attempts = 0, updated_at = $4 WHERE app_id = $1
      AND workflow_id = $2`,
    [tx.appId, workflow.workflow_id, status, services.clock()],
  );
}

/** Retries later, each time after twice the wait. After the last retry it fails, for the operator. */
async function recordFailure(tx: Transaction, services: Services, workflowId: string): Promise<WorkOutcome> {
  const workflow = await tryLockWorkflow(tx, workflowId);
  if (workflow === undefined) return 'locked';
  await tx.execute('UPDATE workflows SET attempts = attempts + 1 WHERE app_id = $1 AND workflow_id = $2', [
    tx.appId,
    workflowId,
  ]);
  if (workflow.attempts < MAX_RETRIES) {
    const readyAt = new Date(services.clock().getTime() + backOff(workflow.attempts, FIRST_DELAY_MS));
    await retryWork(tx, 'workflow', workflowId, readyAt);
    return 'done';
  }
  await dequeue(tx, 'workflow', workflowId);
  const error = givenUp('The work failed repeatedly; an operator can retry it.');
  await failWorkflow(tx, services, workflowId, error);
  return 'done';
}
