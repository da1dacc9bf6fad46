import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { AccountEntity } from './AccountEntity.js';
import { Table } from './Table.js';

/** A public key with which a person signs in (WebAuthn). */
@Entity({ name: 'passkeys' })
@ForeignKey(() => AccountEntity, ['accountId'], ['accountId'], {
  name: 'passkeys_account_fkey',
  onDelete: 'CASCADE',
})
@Index('passkeys_account_idx', ['accountId'])
export class PasskeyEntity {
  @PrimaryColumn({ name: 'credential_id', type: 'text', primaryKeyConstraintName: 'passkeys_pkey' })
  credentialId: string;

  @Column({ name: 'account_id', type: 'text' })
  accountId: string;

  @Column({ name: 'public_key', type: 'bytea' })
  publicKey: Buffer;

  @Column({ type: 'bigint' })
  counter: number;

  @Column({ type: 'text', array: true })
  transports: string[];

  @Column({ type: 'text' })
  label: string;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ name: 'last_used_at', type: 'timestamptz', precision: 3, nullable: true })
  lastUsedAt: Date | null;
}

export const passkeys = new Table(PasskeyEntity);
