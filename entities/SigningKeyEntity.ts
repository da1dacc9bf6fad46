import { Check, Entity } from 'typeorm';
import { Key, Text, Time } from './columns.js';
import { Table } from './Table.js';

/** A key of the service, shared by all nodes. Its private part is encrypted. */
@Entity({ name: 'signing_keys' })
@Check('signing_keys_use_check', "use = ANY (ARRAY['sig'::text, 'cookie'::text])")
export class SigningKeyEntity {
  @Key() keyId: string;
  @Text() use: 'sig' | 'cookie';
  @Text() sealed: string;
  @Time() createdAt: Date;
}

export const signingKeys = new Table(SigningKeyEntity);
