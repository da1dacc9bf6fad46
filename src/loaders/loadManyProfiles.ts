import type { ResolvedProfile } from '../../schema/types/ResolvedProfile.js';
import type { Gated } from '../access/consentGate.js';
import type { Purpose } from '../domain/purposes.js';
import { ServiceError } from '../errors.js';
import { batched, readApart } from './batched.js';
import { loadProfiles } from './loadProfiles.js';
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
  return readApart((ids) => loadProfiles(context, ids, purpose), customerIds);
}

const batchedOf = (purpose: Purpose | undefined) =>
  batched((context: ReadContext, ids: readonly string[]) => loadProfiles(context, ids, purpose));

const ofPurpose = new Map<Purpose | undefined, ReturnType<typeof batchedOf>>();

/** The profile of one of several customers that a request reads. */
export function loadProfileOf(
  context: ReadContext,
  id: string,
  purpose: Purpose | undefined,
): Promise<Gated<ResolvedProfile> | undefined> {
  const load = ofPurpose.get(purpose) ?? batchedOf(purpose);
  ofPurpose.set(purpose, load);
  return load(context, id);
}
