import type { ConsentReceipt, EffectiveConsent } from '../../schema/types/Consent.js';
import type { Customer } from '../../schema/types/Customer.js';
import type { FactExplanation } from '../../schema/types/FactExplanation.js';
import type { PurposeGate } from '../../schema/types/PurposeGate.js';
import type { ResolvedProfile } from '../../schema/types/ResolvedProfile.js';
import type { Gated } from '../access/consentGate.js';
import { loadCustomers } from './loadCustomers.js';
import { loadEffectiveConsents } from './loadEffectiveConsents.js';
import { loadExplanations } from './loadExplanations.js';
import type { FactName } from './loadExplanations.js';
import { loadGates } from './loadGates.js';
import { loadProfiles, nameOfGroup } from './loadProfiles.js';
import type { ProfileGroup } from './loadProfiles.js';
import { readClaimPages } from './readClaimPages.js';
import type { ClaimPage, ClaimsQuestion } from './readClaimPages.js';
import type { ReadScope } from './ReadScope.js';
import { loadReceipts } from './loadReceipts.js';
import { SharedLoader } from './SharedLoader.js';

/** The reads by key, which concurrent requests share. Their results depend only on group and key. */
export class SharedReads {
  readonly customers = new SharedLoader<ReadScope, string, Customer | undefined>(appOf, loadCustomers);
  readonly profiles = new SharedLoader<ProfileGroup, string, Gated<ResolvedProfile> | undefined>(
    nameOfGroup,
    loadProfiles,
  );
  readonly claims = new SharedLoader<ReadScope, ClaimsQuestion, ClaimPage | undefined>(appOf, readClaimPages);
  readonly receipts = new SharedLoader<ReadScope, string, ConsentReceipt | undefined>(appOf, loadReceipts);
  readonly effectiveConsents = new SharedLoader<ReadScope, string, EffectiveConsent | undefined>(
    appOf,
    loadEffectiveConsents,
  );
  readonly gates = new SharedLoader<ReadScope, string, PurposeGate[] | undefined>(appOf, loadGates);
  readonly explanations = new SharedLoader<ReadScope, FactName, Gated<FactExplanation | null> | undefined>(
    appOf,
    loadExplanations,
  );
}

function appOf({ appId }: ReadScope): string {
  return appId;
}
