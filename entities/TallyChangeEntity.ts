import { Entity } from 'typeorm';
import { Big, Integer, Small, Text, Time } from './columns.js';
import { OfApp } from './OfApp.js';

/**
 * A change of one count of an app, written in the transaction that causes it. It waits to be added to
 * `tallies`.
 */
@Entity({ name: 'tally_changes' })
export class TallyChangeEntity extends OfApp {
  @Big({ primary: true, generated: 'identity', generatedIdentity: 'ALWAYS' }) changeId: number;
  @Text() measure: string;
  @Small() key: number;
  @Integer() amount: number;
  @Time({ default: () => 'now()' }) changedAt: Date;
}
