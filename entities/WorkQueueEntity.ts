import { Entity, Index } from 'typeorm';
import { Integer, Key, Time } from './columns.js';
import { OfApp } from './OfApp.js';

/** Waiting work, by opaque ids only. Workers read it across apps. */
@Entity({ name: 'work_queue' })
@Index('work_queue_due_idx', ['queue', 'readyAt'], { where: 'ready_at IS NOT NULL' })
@Index('work_queue_outbox_idx', { synchronize: false })
export class WorkQueueEntity extends OfApp {
  @Key() queue: string;
  @Key() subject: string;
  @Time() readyAt: Date;
  /** How often its work failed since it last went well. */
  @Integer({ default: 0 }) attempts: number;
  /** Of a run of learning: how often a withdrawal ended it. */
  @Integer({ default: 0 }) restarts: number;
}
