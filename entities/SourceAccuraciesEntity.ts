import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { AppEntity } from './AppEntity.js';

/**
 * What has been learned of the sources of an app and purpose. Only the newest snapshot: older ones would
 * remember what was revoked.
 */
@Entity({ name: 'source_accuracies' })
@ForeignKey(() => AppEntity, ['appId'], ['appId'], { name: 'source_accuracies_app_fkey' })
export class SourceAccuraciesEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text', primaryKeyConstraintName: 'source_accuracies_pkey' })
  appId: string;

  @PrimaryColumn({ type: 'smallint', primaryKeyConstraintName: 'source_accuracies_pkey' })
  purpose: number;

  @Column({ type: 'integer' })
  version: number;

  /** The `AccuracySnapshot`, as JSON text. */
  @Column({ type: 'text' })
  snapshot: string;

  @Column({ name: 'cost_ms', type: 'integer' })
  costMs: number;

  /** The workflow that makes the facts anew with this snapshot. */
  @Column({ name: 'recompute_workflow_id', type: 'text', nullable: true })
  recomputeWorkflowId: string | null;

  @Column({ name: 'learned_at', type: 'timestamptz', precision: 3 })
  learnedAt: Date;
}
