import type { Customer, CustomerProfile } from '../../schema/types/Customer.js';
import type { JsonObject } from '../domain/jsonValue.js';

export interface CustomerRow extends Record<string, unknown> {
  app_id: string;
  customer_id: string;
  external_id: string;
  status: string;
  profile: CustomerProfile | null;
  metadata: JsonObject | null;
  created_at: string;
  updated_at: string;
}

export const CUSTOMER_COLUMNS = 'app_id, customer_id, external_id, status, profile, metadata, created_at, updated_at';

export function toCustomer(row: CustomerRow): Customer {
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
