import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { OfApp } from './OfApp.js';

/** One decision in an app's hash-chained ledger. The service may add rows, never change or remove them. */
@Entity({ name: 'consent_ledger' })
// By the customer that the record names.
@Index('consent_ledger_customer_idx', { synchronize: false })
export class ConsentLedgerEntity extends OfApp {
  @PrimaryColumn({ type: 'bigint' })
  ledgerSequence: number;

  @Column({ type: 'text' })
  record: string;

  @Column({ type: 'text' })
  previousHash: string;

  @Column({ type: 'text' })
  hash: string;
}
