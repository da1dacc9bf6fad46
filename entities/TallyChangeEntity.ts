import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * A change of one number of an app, written in the transaction that changes it; waits to be added to
 * `tallies`.
 */
@Entity({ name: 'tally_changes' })
export class TallyChangeEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text', primaryKeyConstraintName: 'tally_changes_pkey' })
  appId: string;

  @PrimaryColumn({
    name: 'change_id',
    type: 'bigint',
    generated: 'identity',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'tally_changes_pkey',
  })
  changeId: number;

  @Column({ type: 'text' })
  measure: string;

  @Column({ type: 'smallint' })
  key: number;

  @Column({ type: 'integer' })
  amount: number;

  @Column({ name: 'changed_at', type: 'timestamptz', precision: 3, default: () => 'now()' })
  changedAt: Date;
}
