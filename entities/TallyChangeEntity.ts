import { Column, Entity, PrimaryColumn } from 'typeorm';
import { OfApp } from './OfApp.js';

/**
 * A change of one number of an app, written in the transaction that changes it; waits to be added to
 * `tallies`.
 */
@Entity({ name: 'tally_changes' })
export class TallyChangeEntity extends OfApp {
  @PrimaryColumn({ type: 'bigint', generated: 'identity', generatedIdentity: 'ALWAYS' })
  changeId: number;

  @Column({ type: 'text' })
  measure: string;

  @Column({ type: 'smallint' })
  key: number;

  @Column({ type: 'integer' })
  amount: number;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  changedAt: Date;
}
