import type { CacheExchangeOpts } from '@urql/exchange-graphcache';

const EMBEDDED = () => null;

/**
 * How the types without an `id` are told apart; those that have none belong to the object they are read from.
 */
export const cacheOptions: Partial<CacheExchangeOpts> = {
  keys: {
    AgeEffect: EMBEDDED,
    Alternative: EMBEDDED,
    ClaimShare: EMBEDDED,
    ConsentEvidence: EMBEDDED,
    CustomerProfile: EMBEDDED,
    EffectiveConsent: EMBEDDED,
    Entry: (entry) => String(entry['entryId']),
    EntryMedia: EMBEDDED,
    Event: (event) => String(event['eventId']),
    EventError: EMBEDDED,
    FactExplanation: EMBEDDED,
    OntologyField: EMBEDDED,
    OntologyStorage: EMBEDDED,
    Provenance: EMBEDDED,
    PublicLocation: EMBEDDED,
    PurposeConsent: EMBEDDED,
    PurposeGate: EMBEDDED,
    ResolvedProfile: EMBEDDED,
    // Another value is another fact: it has nothing of the explanation of the one before.
    ResolvedProfileFact: ({ consentPurpose, attribute, resolvedValue, confidence }) =>
      JSON.stringify([consentPurpose, attribute, resolvedValue, confidence]),
    SuspectedOriginal: EMBEDDED,
    WebhookAttempt: EMBEDDED,
    WebhookEventType: (kind) => String(kind['type']),
    WorkflowError: EMBEDDED,
  },
};
