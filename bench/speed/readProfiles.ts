import { measureLoad } from './measureLoad.js';
import type { Meter, Sample } from './measureLoad.js';
import type { LoadPlan } from './LoadClient.js';
import { requestBytes } from './Target.js';

export interface ProfileReads extends Omit<LoadPlan, 'next'> {
  ids: readonly string[];
  token: string;
}

/** Sends reads of random customers' profiles to a server of ours. */
export function readProfiles({ ids, token, ...plan }: ProfileReads, meter: Meter): Promise<Sample> {
  const next = (): Buffer => {
    const id = ids[Math.floor(Math.random() * ids.length)] ?? '';
    return requestBytes({ path: `/v1/profiles/${id}` }, token, id);
  };
  return measureLoad({ ...plan, next }, meter);
}
