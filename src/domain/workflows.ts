import type { WebhookMessage } from './webhooks/WebhookMessage.js';

/** The kinds of workflows. A migration adds a new one to the check on `workflows.type`. */
export const WORKFLOW_TYPES = [
  'consent_revocation_cascade',
  'profile_recompute',
  'ontology_fields_rebuild',
  'webhook_delivery',
] as const;

export type WorkflowType = (typeof WORKFLOW_TYPES)[number];

export const WORKFLOW_STATUSES = ['accepted', 'running', 'completed', 'failed'] as const;

export type WorkflowStatus = (typeof WORKFLOW_STATUSES)[number];

/** The message that a workflow failed. */
export function workflowFailed(id: string, type: string, errorCode: string, at: Date): WebhookMessage {
  return {
    type: 'workflow.failed',
    data: { workflow_id: id, workflow_type: type, status: 'failed', error_code: errorCode },
    at,
  };
}
