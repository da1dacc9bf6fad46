import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A partner's own id of an event, by which repeats are told. */
@Entity({ name: 'event_keys' })
export class EventKeyEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text', primaryKeyConstraintName: 'event_keys_pkey' })
  appId: string;

  @PrimaryColumn({ name: 'customer_id', type: 'text', primaryKeyConstraintName: 'event_keys_pkey' })
  customerId: string;

  @PrimaryColumn({ name: 'event_key', type: 'text', primaryKeyConstraintName: 'event_keys_pkey' })
  eventKey: string;

  @Column({ name: 'event_id', type: 'text' })
  eventId: string;

  @Column({ type: 'bigint' })
  sequence: number;

  @Column({ type: 'smallint' })
  purpose: number;

  @Column({ type: 'integer' })
  epoch: number;

  @Column({ name: 'payload_hash', type: 'text' })
  payloadHash: string;
}
