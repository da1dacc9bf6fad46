import { Entity, ForeignKey, Index, Unique } from 'typeorm';
import { AppEntity } from './AppEntity.js';
import type { Customer, CustomerProfile } from '../schema/types/Customer.js';
import type { JsonObject } from '../src/domain/jsonValue.js';
import { Json, Key, Text, Time } from './columns.js';
import { columnsOf } from './rowOf.js';
import type { RowOf } from './rowOf.js';
import { OfApp } from './OfApp.js';

/** A partner's customer. */
@Entity({ name: 'customers' })
@ForeignKey(() => AppEntity, ['appId'], ['appId'])
@Unique('customers_external_id_key', ['appId', 'externalId'])
@Index('customers_created_idx', ['appId', 'createdAt', 'customerId'])
@Index('customers_external_id_prefix_idx', { synchronize: false })
export class CustomerEntity extends OfApp {
  @Key() customerId: string;
  @Text() externalId: string;
  @Text() status: string;
  @Json({ nullable: true }) profile: CustomerProfile | null;
  @Json({ nullable: true }) metadata: JsonObject | null;
  @Time() createdAt: Date;
  @Time() updatedAt: Date;
}

export type CustomerRow = RowOf<CustomerEntity>;

export const CUSTOMER_COLUMNS = columnsOf(CustomerEntity);

/** The columns for reads, which insert `metadata` into the answer as it is stored. */
export const READ_CUSTOMER_COLUMNS = CUSTOMER_COLUMNS.replace('metadata', 'metadata::text AS metadata');

export type ReadCustomerRow = Omit<CustomerRow, 'metadata'> & { metadata: string | null };

/** The columns that clients write in addition to `external_id`, by input field. */
export const CUSTOMER_DATA = { profile: 'profile', metadata: 'metadata' } as const;

export type CustomerData = Pick<CustomerRow, (typeof CUSTOMER_DATA)[keyof typeof CUSTOMER_DATA]>;

export function toCustomer(
  row: Omit<CustomerRow, 'metadata'> & Required<Pick<Customer, 'metadata'>>,
): Customer {
  return {
    id: row.customer_id,
    appId: row.app_id,
    externalId: row.external_id,
    status: row.status,
    profile: row.profile,
    metadata: row.metadata,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
