import { allApps } from '../database/allApps.js';
import type { Database } from '../database/Database.js';
import type { Transaction } from '../database/Transaction.js';
import { enqueue } from '../database/workQueue.js';
import type { Queue } from '../database/workQueue.js';
import { retryWebhookWorkflow } from './retryWebhookWorkflow.js';
import { ServiceError } from '../errors.js';
import { lockHead } from './customerHead.js';
import { workflows } from '../../entities/WorkflowEntity.js';
import type { WorkflowRow } from '../../entities/WorkflowEntity.js';

/**
 * Continues a failed workflow where it stopped. For operators, who give only its id.
 *
 * @throws ServiceError `not_found`; `conflict` when it has not failed, or when nothing is left of its work
 */
export async function retryWorkflow(
  database: Database,
  workflowId: string,
  now: Date,
): Promise<Pick<WorkflowRow, 'type'>> {
  for (const appId of await allApps(database)) {
    const type = await database.transaction(appId, (tx) => retryIn(tx, workflowId, now));
    if (type !== undefined) return { type };
  }
  throw new ServiceError('not_found', `There is no workflow ${workflowId}.`);
}

async function retryIn(
  tx: Transaction,
  workflowId: string,
  now: Date,
): Promise<WorkflowRow['type'] | undefined> {
  const found = await findWorkflow(tx, workflowId, '');
  if (found === undefined) return undefined;
  if (found.type === 'webhook_delivery') return retryDelivery(tx, workflowId, now);
  const customerId = found.subject['customer_id'];
  const ofClaims = found.type === 'profile_recompute' && typeof customerId === 'string';
  // The head is locked before the workflow: workers that apply claims use the same order.
  if (ofClaims && (await lockHead(tx, customerId, 'FOR UPDATE')) === undefined)
    throw new ServiceError('conflict', 'The customer was erased: nothing is left to do.');
  const workflow = await findWorkflow(tx, workflowId, 'FOR NO KEY UPDATE');
  if (workflow?.status !== 'failed')
    throw new ServiceError('conflict', `The workflow is ${workflow?.status ?? 'gone'}, not failed.`);
  const again = { status: 'accepted', error: null, attempts: 0, updated_at: now } as const;
  await workflows.update(tx, { app_id: tx.app, workflow_id: workflowId }, again);
  if (ofClaims) await retryClaims(tx, customerId, workflowId, now);
  else enqueue(tx, queueOf(workflow), [workflowId], now);
  return workflow.type;
}

async function retryDelivery(tx: Transaction, workflowId: string, now: Date): Promise<'webhook_delivery'> {
  if (await retryWebhookWorkflow(tx, workflowId, now)) return 'webhook_delivery';
  throw new ServiceError(
    'conflict',
    'The delivery has not failed, is gone or was sent again since, or its endpoint is disabled.',
  );
}

function findWorkflow(tx: Transaction, workflowId: string, lock: string): Promise<WorkflowRow | undefined> {
  const key = { app_id: tx.app, workflow_id: workflowId };
  return workflows.find(tx, workflows.columns, key, lock);
}

/** The queue in which workers find the workflow; facts are recomputed by the learning queue. */
function queueOf({ type }: WorkflowRow): Queue {
  return type === 'profile_recompute' ? 'learning' : 'workflow';
}

/** Puts failed claims back into the inbox. The transaction holds the customer's head. */
async function retryClaims(
  tx: Transaction,
  customerId: string,
  workflowId: string,
  now: Date,
): Promise<void> {
  const waiting = await tx.execute(
    `UPDATE inbox SET failed_at = NULL, attempts = 0
     WHERE app_id = $1 AND customer_id = $2 AND workflow_id = $3 AND failed_at IS NOT NULL`,
    [tx.appId, customerId, workflowId],
  );
  if (waiting === 0) throw new ServiceError('conflict', 'None of its claims is left: nothing is left to do.');
  enqueue(tx, 'customer', [customerId], now);
}
