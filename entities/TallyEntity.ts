import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { AppEntity } from './AppEntity.js';

/**
 * What `tally_changes` added up to in an hour. An hour of `-infinity` holds everything before those that are
 * kept.
 */
@Entity({ name: 'tallies' })
@ForeignKey(() => AppEntity, ['appId'], ['appId'], { name: 'tallies_app_fkey', onDelete: 'CASCADE' })
export class TallyEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text', primaryKeyConstraintName: 'tallies_pkey' })
  appId: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'tallies_pkey' })
  measure: string;

  @PrimaryColumn({ type: 'timestamptz', precision: 3, primaryKeyConstraintName: 'tallies_pkey' })
  hour: Date;

  /**
   * What is counted apart: a purpose, a purpose and decile of confidence, a step of a duration; -1 for
   * nothing.
   */
  @PrimaryColumn({ type: 'smallint', primaryKeyConstraintName: 'tallies_pkey' })
  key: number;

  @Column({ type: 'bigint' })
  amount: number;
}
