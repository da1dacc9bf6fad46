import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A process that wants hints of an app's changes, for its subscriptions. Nothing of any customer. */
@Entity({ name: 'live_interest' })
export class LiveInterestEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text', primaryKeyConstraintName: 'live_interest_pkey' })
  appId: string;

  @PrimaryColumn({ name: 'process_id', type: 'text', primaryKeyConstraintName: 'live_interest_pkey' })
  processId: string;

  @Column({ name: 'expires_at', type: 'timestamptz', precision: 3 })
  expiresAt: Date;
}
