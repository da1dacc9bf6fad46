import { Check, Entity, Index } from 'typeorm';
import type { Workflow } from '../schema/types/Workflow.js';
import type { JsonObject } from '../src/domain/jsonValue.js';
import { WORKFLOW_STATUSES, WORKFLOW_TYPES } from '../src/domain/workflows.js';
import type { WorkflowStatus, WorkflowType } from '../src/domain/workflows.js';
import { Integer, Json, Key, oneOf, Text, Time } from './columns.js';
import { columnsOf } from './rowOf.js';
import type { RowOf } from './rowOf.js';
import { Table } from './Table.js';
import { OfApp } from './OfApp.js';

/** Asynchronous work and its progress. */
@Entity({ name: 'workflows' })
@Check('workflows_status_check', oneOf('status', WORKFLOW_STATUSES))
@Check('workflows_type_check', oneOf('type', WORKFLOW_TYPES))
@Index('workflows_open_idx', { synchronize: false })
@Index('workflows_list_idx', ['appId', 'type', 'status', 'workflowId'])
export class WorkflowEntity extends OfApp {
  @Key() workflowId: string;
  @Text() type: WorkflowType;
  @Text() status: WorkflowStatus;
  @Json() subject: JsonObject;
  @Json({ nullable: true }) error: { code: string; message: string; field?: string } | null;
  @Integer({ default: 0 }) attempts: number;
  @Time() createdAt: Date;
  @Time() updatedAt: Date;
}

export const workflows = new Table(WorkflowEntity);

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
