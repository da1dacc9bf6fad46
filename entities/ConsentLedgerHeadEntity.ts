import { Entity } from 'typeorm';
import { Big, Text } from './columns.js';
import { OfApp } from './OfApp.js';

/** The last record of an app's ledger. Its lock puts the records in commit order. */
@Entity({ name: 'consent_ledger_heads' })
export class ConsentLedgerHeadEntity extends OfApp {
  @Big() ledgerSequence: number;
  @Text() hash: string;
}
