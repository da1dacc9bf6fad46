import type { Transaction } from '../database/Transaction.js';
import { newId } from '../domain/ids.js';
import type { JsonObject } from '../domain/jsonValue.js';
import type { WorkflowType } from '../domain/workflows.js';

/** Where a workflow can be polled. */
export function workflowUrl(workflowId: string): string {
  return `/v1/workflows/${workflowId}`;
}

/** Records accepted work. The caller enqueues what carries it out. */
export function insertWorkflow(tx: Transaction, type: WorkflowType, subject: JsonObject, now: Date): string {
  const workflowId = newId('wf');
  tx.send(
    `INSERT INTO workflows (app_id, workflow_id, type, status, subject, created_at, updated_at)
      VALUES ($1, $2, $3, 'accepted', $4, $5, $5)`,
    [tx.appId, workflowId, type, JSON.stringify(subject), now],
  );
  return workflowId;
}
