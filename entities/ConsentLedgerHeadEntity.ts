import { Column, Entity } from 'typeorm';
import { OfApp } from './OfApp.js';

/** The end of an app's ledger; its lock puts the records in commit order. */
@Entity({ name: 'consent_ledger_heads' })
export class ConsentLedgerHeadEntity extends OfApp {
  @Column({ type: 'bigint' })
  ledgerSequence: number;

  @Column({ type: 'text' })
  hash: string;
}
