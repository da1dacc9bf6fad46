import { Column, Entity, PrimaryColumn } from 'typeorm';
import { OfApp } from './OfApp.js';

/** A partner's own id of an event, by which repeats are told. */
@Entity({ name: 'event_keys' })
export class EventKeyEntity extends OfApp {
  @PrimaryColumn({ type: 'text' })
  customerId: string;

  @PrimaryColumn({ type: 'text' })
  eventKey: string;

  @Column({ type: 'text' })
  eventId: string;

  @Column({ type: 'bigint' })
  sequence: number;

  @Column({ type: 'smallint' })
  purpose: number;

  @Column({ type: 'integer' })
  epoch: number;

  @Column({ type: 'text' })
  payloadHash: string;
}
