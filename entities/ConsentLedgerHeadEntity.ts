import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The end of an app's ledger; its lock puts the records in commit order. */
@Entity({ name: 'consent_ledger_heads' })
export class ConsentLedgerHeadEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text', primaryKeyConstraintName: 'consent_ledger_heads_pkey' })
  appId: string;

  @Column({ name: 'ledger_sequence', type: 'bigint' })
  ledgerSequence: number;

  @Column({ type: 'text' })
  hash: string;
}
