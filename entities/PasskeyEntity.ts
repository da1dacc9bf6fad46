import { Entity, ForeignKey, Index } from 'typeorm';
import { Big, Bytes, Key, Text, TextList, Time } from './columns.js';
import { AccountEntity } from './AccountEntity.js';
import { Table } from './Table.js';

/** A public key with which a person signs in (WebAuthn). */
@Entity({ name: 'passkeys' })
@ForeignKey(() => AccountEntity, ['accountId'], ['accountId'], { onDelete: 'CASCADE' })
@Index('passkeys_account_idx', ['accountId'])
export class PasskeyEntity {
  @Key() credentialId: string;
  @Text() accountId: string;
  @Bytes() publicKey: Buffer;
  @Big() counter: number;
  @TextList() transports: string[];
  @Text() label: string;
  @Time() createdAt: Date;
  @Time({ nullable: true }) lastUsedAt: Date | null;
}

export const passkeys = new Table(PasskeyEntity);
