import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { AccountEntity } from './AccountEntity.js';
import { Table } from './Table.js';

/** A public key with which a person signs in (WebAuthn). */
@Entity({ name: 'passkeys' })
@ForeignKey(() => AccountEntity, ['accountId'], ['accountId'], { onDelete: 'CASCADE' })
@Index('passkeys_account_idx', ['accountId'])
export class PasskeyEntity {
  @PrimaryColumn({ type: 'text' })
  credentialId: string;

  @Column({ type: 'text' })
  accountId: string;

  @Column({ type: 'bytea' })
  publicKey: Buffer;

  @Column({ type: 'bigint' })
  counter: number;

  @Column({ type: 'text', array: true })
  transports: string[];

  @Column({ type: 'text' })
  label: string;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  lastUsedAt: Date | null;
}

export const passkeys = new Table(PasskeyEntity);
