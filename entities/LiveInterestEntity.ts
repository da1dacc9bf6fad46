import { Entity } from 'typeorm';
import { Key, Time } from './columns.js';
import { OfApp } from './OfApp.js';

/** A process that wants notices of an app's changes, for its subscriptions. Contains no customer data. */
@Entity({ name: 'live_interest' })
export class LiveInterestEntity extends OfApp {
  @Key() processId: string;
  @Time() expiresAt: Date;
}
