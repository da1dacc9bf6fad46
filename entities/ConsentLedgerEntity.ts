import { Entity, Index } from 'typeorm';
import { Big, Text } from './columns.js';
import { OfApp } from './OfApp.js';

/** One decision in an app's hash-chained ledger. The service may add rows, never change or remove them. */
@Entity({ name: 'consent_ledger' })
// By the customer named in the record.
@Index('consent_ledger_customer_idx', { synchronize: false })
export class ConsentLedgerEntity extends OfApp {
  @Big({ primary: true }) ledgerSequence: number;
  @Text() record: string;
  @Text() previousHash: string;
  @Text() hash: string;
}
