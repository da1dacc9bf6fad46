import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { AppEntity } from './AppEntity.js';
import { OfApp } from './OfApp.js';

/**
 * What `tally_changes` added up to in an hour. An hour of `-infinity` holds everything before those that are
 * kept.
 */
@Entity({ name: 'tallies' })
@ForeignKey(() => AppEntity, ['appId'], ['appId'], { onDelete: 'CASCADE' })
export class TallyEntity extends OfApp {
  @PrimaryColumn({ type: 'text' })
  measure: string;

  @PrimaryColumn({ type: 'timestamptz', precision: 3 })
  hour: Date;

  /**
   * What is counted apart: a purpose, a purpose and decile of confidence, a step of a duration; -1 for
   * nothing.
   */
  @PrimaryColumn({ type: 'smallint' })
  key: number;

  @Column({ type: 'bigint' })
  amount: number;
}
