import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Asynchronous work and how far it has come. */
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
export class WorkflowEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text', primaryKeyConstraintName: 'workflows_pkey' })
  appId: string;

  @PrimaryColumn({ name: 'workflow_id', type: 'text', primaryKeyConstraintName: 'workflows_pkey' })
  workflowId: string;

  @Column({ type: 'text' })
  type: string;

  @Column({ type: 'text' })
  status: string;

  @Column({ type: 'jsonb' })
  subject: object;

  @Column({ type: 'jsonb', nullable: true })
  error: object | null;

  @Column({ type: 'integer', default: 0 })
  attempts: number;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}
