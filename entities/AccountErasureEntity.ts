import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import { Table } from './Table.js';

/** The deletion of an account. It outlives the account, by ids that lead nowhere any more. */
@Entity({ name: 'account_erasures' })
@Check(
  'account_erasures_status_check',
  "status = ANY (ARRAY['accepted'::text, 'running'::text, 'completed'::text])",
)
export class AccountErasureEntity {
  @PrimaryColumn({ type: 'text' })
  erasureId: string;

  @Column({ type: 'text' })
  accountId: string;

  @Column({ type: 'text' })
  status: string;

  /** The cascades that erase what was collected, as pairs of app and workflow. */
  @Column({ type: 'jsonb', default: [] })
  workflows: { app: string; workflow: string }[];

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  completedAt: Date | null;
}

export const accountErasures = new Table(AccountErasureEntity);
