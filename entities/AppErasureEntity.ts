import { Check, Column, Entity, PrimaryColumn, Unique } from 'typeorm';
import { columnsOf } from './rowOf.js';
import type { RowOf } from './rowOf.js';
import { Table } from './Table.js';

/** The deletion of an app with all it has. It outlives the app. */
@Entity({ name: 'app_erasures' })
@Unique('app_erasures_app_key', ['appId'])
@Check(
  'app_erasures_status_check',
  "status = ANY (ARRAY['accepted'::text, 'running'::text, 'completed'::text])",
)
export class AppErasureEntity {
  @PrimaryColumn({ type: 'text' })
  erasureId: string;

  @Column({ type: 'text' })
  appId: string;

  @Column({ type: 'text' })
  status: 'accepted' | 'running' | 'completed';

  /** Rows erased so far, by table. */
  @Column({ type: 'jsonb', default: {} })
  erased: Record<string, number>;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  completedAt: Date | null;
}

export const appErasures = new Table(AppErasureEntity);

export type AppErasureRow = RowOf<AppErasureEntity>;

export const APP_ERASURE_COLUMNS = columnsOf(AppErasureEntity);
