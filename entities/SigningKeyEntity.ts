import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import { Table } from './Table.js';

/** Keys of the service, their private part sealed; shared by all nodes. */
@Entity({ name: 'signing_keys' })
@Check('signing_keys_use_check', "use = ANY (ARRAY['sig'::text, 'cookie'::text])")
export class SigningKeyEntity {
  @PrimaryColumn({ type: 'text' })
  keyId: string;

  @Column({ type: 'text' })
  use: 'sig' | 'cookie';

  @Column({ type: 'text' })
  sealed: string;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;
}

export const signingKeys = new Table(SigningKeyEntity);
