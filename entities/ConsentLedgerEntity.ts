import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** One decision in an app's hash-chained ledger. The service may add rows, never change or remove them. */
@Entity({ name: 'consent_ledger' })
// By the customer that the record names.
@Index('consent_ledger_customer_idx', { synchronize: false })
export class ConsentLedgerEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text', primaryKeyConstraintName: 'consent_ledger_pkey' })
  appId: string;

  @PrimaryColumn({ name: 'ledger_sequence', type: 'bigint', primaryKeyConstraintName: 'consent_ledger_pkey' })
  ledgerSequence: number;

  @Column({ type: 'text' })
  record: string;

  @Column({ name: 'previous_hash', type: 'text' })
  previousHash: string;

  @Column({ type: 'text' })
  hash: string;
}
