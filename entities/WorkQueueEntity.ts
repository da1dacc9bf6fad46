import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Where work waits, by opaque ids only: what workers look through, across apps. */
@Entity({ name: 'work_queue' })
@Index('work_queue_ready_idx', ['queue', 'readyAt'])
@Index('work_queue_outbox_idx', { synchronize: false })
export class WorkQueueEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text', primaryKeyConstraintName: 'work_queue_pkey' })
  appId: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'work_queue_pkey' })
  queue: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'work_queue_pkey' })
  subject: string;

  @Column({ name: 'ready_at', type: 'timestamptz', precision: 3 })
  readyAt: Date;

  @Column({ type: 'integer', default: 0 })
  attempts: number;
}
