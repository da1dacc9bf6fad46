import type { Customer } from '../../schema/types/Customer.js';
import type { ResolvedProfile } from '../../schema/types/ResolvedProfile.js';
import type { Gated } from '../access/consentGate.js';
import { loadCustomers } from './loadCustomers.js';
import { loadProfiles, nameOfGroup } from './loadProfiles.js';
import type { ProfileGroup } from './loadProfiles.js';
import { readClaimPages } from './readClaimPages.js';
import type { ClaimPage, ClaimsQuestion } from './readClaimPages.js';
import type { ReadScope } from './ReadScope.js';
import { SharedLoader } from './SharedLoader.js';

/** The frequent reads, which concurrent requests share. Their results depend only on group and key. */
export class SharedReads {
  readonly customers = new SharedLoader<ReadScope, string, Customer | undefined>(appOf, loadCustomers);
  readonly profiles = new SharedLoader<ProfileGroup, string, Gated<ResolvedProfile> | undefined>(
    nameOfGroup,
    loadProfiles,
  );
  readonly claims = new SharedLoader<ReadScope, ClaimsQuestion, ClaimPage | undefined>(appOf, readClaimPages);
}

function appOf({ appId }: ReadScope): string {
  return appId;
}
