import { Check, Entity } from 'typeorm';
import { Json, Key, Text, Time } from './columns.js';
import { Table } from './Table.js';

/** The deletion of an account. The row is kept after the account is gone; its ids then refer to nothing. */
@Entity({ name: 'account_erasures' })
@Check(
  'account_erasures_status_check',
  "status = ANY (ARRAY['accepted'::text, 'running'::text, 'completed'::text])",
)
export class AccountErasureEntity {
  @Key() erasureId: string;
  @Text() accountId: string;
  @Text() status: string;
  /** The workflows that erase collected data, as pairs of app and workflow. */
  @Json({ default: [] }) workflows: { app: string; workflow: string }[];
  @Time() createdAt: Date;
  @Time({ nullable: true }) completedAt: Date | null;
}

export const accountErasures = new Table(AccountErasureEntity);
