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
