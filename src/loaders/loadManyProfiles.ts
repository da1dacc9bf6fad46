import type { ResolvedProfile } from '../../schema/types/ResolvedProfile.js';
import type { Gated } from '../access/consentGate.js';
import type { Purpose } from '../domain/purposes.js';
import { ServiceError } from '../errors.js';
import type { Loaders } from './Loaders.js';

const MAX_CUSTOMERS = 100;

/** Profiles in the order of the ids; undefined for missing customers. */
export async function loadManyProfiles(
  loaders: Loaders,
  customerIds: readonly string[],
  purpose: Purpose | undefined,
): Promise<(Gated<ResolvedProfile> | Error | undefined)[]> {
  if (customerIds.length > MAX_CUSTOMERS) {
    throw new ServiceError('invalid_request', `At most ${MAX_CUSTOMERS} customers can be read at once.`);
  }
  return loaders.manyProfiles(customerIds, purpose);
}
