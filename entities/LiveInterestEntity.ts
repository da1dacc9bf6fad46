import { Entity } from 'typeorm';
import { Key, Time } from './columns.js';
import { OfApp } from './OfApp.js';

/** A process that wants hints of an app's changes, for its subscriptions. Nothing of any customer. */
@Entity({ name: 'live_interest' })
export class LiveInterestEntity extends OfApp {
  @Key() processId: string;
  @Time() expiresAt: Date;
}
