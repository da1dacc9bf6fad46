import type { Workflow } from '../../schema/types/Workflow.js';
import type { Transaction } from '../database/Transaction.js';
import { newId } from '../domain/ids.js';
import type { JsonObject } from '../domain/jsonValue.js';

export type WorkflowType =
  'consent_revocation_cascade' | 'profile_recompute' | 'ontology_fields_rebuild' | 'webhook_delivery';

export interface WorkflowRow extends Record<string, unknown> {
  workflow_id: string;
  type: WorkflowType;
  status: 'accepted' | 'running' | 'completed' | 'failed';
  subject: JsonObject;
  error: { code: string; message: string; field?: string } | null;
  attempts: number;
  created_at: string;
  updated_at: string;
}

export const WORKFLOW_COLUMNS = 'workflow_id, type, status, subject, error, attempts, created_at, updated_at';

export function toWorkflow(row: WorkflowRow): Workflow {
  return {
    id: row.workflow_id,
    type: row.type,
    status: row.status,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    error: row.error,
  };
}

/** Where a workflow can be polled. */
export function workflowUrl(workflowId: string): string {
  return `/v1/workflows/${workflowId}`;
}

/** Records work that was accepted; the caller enqueues what carries it out. */
export async function insertWorkflow(
  tx: Transaction,
  type: WorkflowType,
  subject: JsonObject,
  now: Date,
): Promise<string> {
  const workflowId = newId('wf');
  await tx.execute(
    `INSERT INTO workflows (app_id, workflow_id, type, status, subject, created_at, updated_at) VALUES ($1, $2, $3, 'accepted', $4, $5, $5)`,
    [tx.appId, workflowId, type, JSON.stringify(subject), now],
  );
  return workflowId;
}
