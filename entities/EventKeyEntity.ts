import { Entity } from 'typeorm';
import { Big, Integer, Key, Small, Text } from './columns.js';
import { OfApp } from './OfApp.js';

/** A partner's own id of an event, to detect duplicates. */
@Entity({ name: 'event_keys' })
export class EventKeyEntity extends OfApp {
  @Key() customerId: string;
  @Key() eventKey: string;
  @Text() eventId: string;
  @Big() sequence: number;
  @Small() purpose: number;
  @Integer() epoch: number;
  @Text() payloadHash: string;
}
