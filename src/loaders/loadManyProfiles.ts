import type { ResolvedProfile } from '../../schema/types/ResolvedProfile.js';
import type { Gated } from '../access/consentGate.js';
import type { Purpose } from '../domain/purposes.js';
import { ServiceError } from '../errors.js';
import { groupOf } from './loadProfiles.js';
import type { ReadContext } from './ReadScope.js';

const MAX_CUSTOMERS = 100;

/** Profiles in the order of the ids; undefined for missing customers. */
export async function loadManyProfiles(
  context: ReadContext,
  customerIds: readonly string[],
  purpose: Purpose | undefined,
): Promise<(Gated<ResolvedProfile> | Error | undefined)[]> {
  if (customerIds.length > MAX_CUSTOMERS) {
    throw new ServiceError('invalid_request', `At most ${MAX_CUSTOMERS} customers can be read at once.`);
  }
  return context.services.reads.profiles.loadMany(groupOf(context, purpose), customerIds);
}
