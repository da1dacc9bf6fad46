import { Column, Entity, PrimaryColumn } from 'typeorm';
import { OfApp } from './OfApp.js';

/** A process that wants hints of an app's changes, for its subscriptions. Nothing of any customer. */
@Entity({ name: 'live_interest' })
export class LiveInterestEntity extends OfApp {
  @PrimaryColumn({ type: 'text' })
  processId: string;

  @Column({ type: 'timestamptz', precision: 3 })
  expiresAt: Date;
}
