import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { AppEntity } from './AppEntity.js';
import { OfApp } from './OfApp.js';

/**
 * What has been learned of the sources of an app and purpose. Only the newest snapshot: older ones would
 * remember what was revoked.
 */
@Entity({ name: 'source_accuracies' })
@ForeignKey(() => AppEntity, ['appId'], ['appId'])
export class SourceAccuraciesEntity extends OfApp {
  @PrimaryColumn({ type: 'smallint' })
  purpose: number;

  @Column({ type: 'integer' })
  version: number;

  /** The `AccuracySnapshot`, as JSON text. */
  @Column({ type: 'text' })
  snapshot: string;

  @Column({ type: 'integer' })
  costMs: number;

  /** The workflow that makes the facts anew with this snapshot. */
  @Column({ type: 'text', nullable: true })
  recomputeWorkflowId: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  learnedAt: Date;
}
