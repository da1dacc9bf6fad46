import { Entity, ForeignKey } from 'typeorm';
import { Integer, Small, Text, Time } from './columns.js';
import { AppEntity } from './AppEntity.js';
import { OfApp } from './OfApp.js';

/**
 * The learned accuracies of the sources of an app and purpose. Only the newest snapshot is kept, as older
 * ones would contain revoked data.
 */
@Entity({ name: 'source_accuracies' })
@ForeignKey(() => AppEntity, ['appId'], ['appId'])
export class SourceAccuraciesEntity extends OfApp {
  @Small({ primary: true }) purpose: number;
  @Integer() version: number;
  /** The `AccuracySnapshot`, as JSON text. */
  @Text() snapshot: string;
  @Integer() costMs: number;
  /** The workflow that recomputes the facts with this snapshot. */
  @Text({ nullable: true }) recomputeWorkflowId: string | null;
  @Time() learnedAt: Date;
}
