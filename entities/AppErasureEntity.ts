import { Check, Entity, Unique } from 'typeorm';
import { Json, Key, Text, Time } from './columns.js';
import { columnsOf } from './rowOf.js';
import type { RowOf } from './rowOf.js';
import { Table } from './Table.js';

/** The deletion of an app and all its data. The row is kept after the app is gone. */
@Entity({ name: 'app_erasures' })
@Unique('app_erasures_app_key', ['appId'])
@Check(
  'app_erasures_status_check',
  "status = ANY (ARRAY['accepted'::text, 'running'::text, 'completed'::text])",
)
export class AppErasureEntity {
  @Key() erasureId: string;
  @Text() appId: string;
  @Text() status: 'accepted' | 'running' | 'completed';
  /** Rows erased so far, by table. */
  @Json({ default: {} }) erased: Record<string, number>;
  @Time() createdAt: Date;
  @Time({ nullable: true }) completedAt: Date | null;
}

export const appErasures = new Table(AppErasureEntity);

export type AppErasureRow = RowOf<AppErasureEntity>;

export const APP_ERASURE_COLUMNS = columnsOf(AppErasureEntity);
