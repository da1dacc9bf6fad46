import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { OfApp } from './OfApp.js';

/** Where work waits, by opaque ids only: what workers look through, across apps. */
@Entity({ name: 'work_queue' })
@Index('work_queue_ready_idx', ['queue', 'readyAt'])
@Index('work_queue_outbox_idx', { synchronize: false })
export class WorkQueueEntity extends OfApp {
  @PrimaryColumn({ type: 'text' })
  queue: string;

  @PrimaryColumn({ type: 'text' })
  subject: string;

  @Column({ type: 'timestamptz', precision: 3 })
  readyAt: Date;

  @Column({ type: 'integer', default: 0 })
  attempts: number;
}
