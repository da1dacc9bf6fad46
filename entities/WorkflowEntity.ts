import { Check, Entity, Index } from 'typeorm';
import type { Workflow } from '../schema/types/Workflow.js';
import type { JsonObject } from '../src/domain/jsonValue.js';
import { Integer, Json, Key, Text, Time } from './columns.js';
import { columnsOf } from './rowOf.js';
import type { RowOf } from './rowOf.js';
import { Table } from './Table.js';
import { OfApp } from './OfApp.js';

/** Asynchronous work and its progress. */
@Entity({ name: 'workflows' })
@Check(
  'workflows_status_check',
  "status = ANY (ARRAY['accepted'::text, 'running'::text, 'completed'::text, 'failed'::text])",
)
@Check(
  'workflows_type_check',
  "type = ANY (ARRAY['consent_revocation_cascade'::text, 'profile_recompute'::text, 'ontology_fields_rebuild'::text, 'webhook_delivery'::text])",
)
@Index('workflows_open_idx', { synchronize: false })
@Index('workflows_list_idx', ['appId', 'type', 'status', 'workflowId'])
export class WorkflowEntity extends OfApp {
  @Key() workflowId: string;
  @Text() type: WorkflowType;
  @Text() status: 'accepted' | 'running' | 'completed' | 'failed';
  @Json() subject: JsonObject;
  @Json({ nullable: true }) error: { code: string; message: string; field?: string } | null;
  @Integer({ default: 0 }) attempts: number;
  @Time() createdAt: Date;
  @Time() updatedAt: Date;
}

export const workflows = new Table(WorkflowEntity);

export type WorkflowType =
  'consent_revocation_cascade' | 'profile_recompute' | 'ontology_fields_rebuild' | 'webhook_delivery';

export type WorkflowRow = RowOf<WorkflowEntity>;

export const WORKFLOW_COLUMNS = columnsOf(WorkflowEntity);

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
