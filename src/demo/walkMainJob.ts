import { isDeepStrictEqual } from 'node:util';
import { DAY_MS } from '../domain/timestamp.js';
import type { Partner } from './Partner.js';

const SCOPES = [
  'customers:write',
  'customers:read',
  'consent:write',
  'consent:read',
  'events:write',
  'profile:read',
  'claims:read',
  'workflows:read',
];

interface Fact {
  attribute: string;
  resolved_value: unknown;
  confidence: number;
  resolution_method: string;
  consent_purpose: string;
  evidence: { source: string; value: unknown; consent_purpose: string }[];
  alternatives: { value: unknown; confidence: number; reason: string }[];
}

interface Profile {
  facts: Fact[];
}

/** The observed results, for a test to check. */
export interface WalkResult {
  facts: number;
  sameThroughBothDoors: boolean;
  afterRevocation: { status: string; code: string; factsLeft: string[] };
  cascade: string;
}

/**
 * The main job, step by step: consent for two purposes, conflicting sources, a profile over REST and GraphQL,
 * a revocation.
 */
export async function walkMainJob(partner: Partner, adminKey: string): Promise<WalkResult> {
  const { tell } = partner;
  tell('\n1. A partner registers and gets a token');
  await partner.register(adminKey, {
    name: 'Harbour Outfitters',
    redirect_uris: ['https://harbour.example/callback'],
    allowed_scopes: SCOPES,
  });

  tell('\n2. It creates a customer and records consent for two purposes');
  const { customer } = await partner.rest<{ customer: { id: string } }>('POST', '/v1/customers', {
    external_id: `member-${Date.now()}`,
    profile: { username: 'mira', public_location: { city: 'Lisbon', country: 'PT' } },
  });
  const receipt = await partner.rest<{ id: string }>('POST', '/v1/consent-receipts', {
    customer_id: customer.id,
    purposes: ['personalization', 'analytics'],
    terms_version: '2026-10',
    privacy_policy_version: '2026-09',
  });

  tell('\n3. Five sources make claims; they do not agree');
  const batch = await partner.rest<{ accepted: number; data: { workflow_id: string }[] }>(
    'POST',
    '/v1/claims/batch',
    {
      claims: claimsOf(customer.id),
    },
  );
  tell(
    `   ${batch.accepted} claims accepted; recompute ${await partner.finished(batch.data[0]?.workflow_id ?? '')}`,
  );

  tell('\n4. The resolved profile, with provenance');
  const profile = await partner.rest<Profile>('GET', `/v1/profiles/${customer.id}`);
  for (const fact of profile.facts) tellFact(tell, fact);

  tell('\n5. The same over GraphQL');
  const overGraphql = await factsOverGraphql(partner, customer.id);
  // Updated source accuracies may change a confidence meanwhile, so it is also compared with a newer REST
  // response.
  const newer = await partner.rest<Profile>('GET', `/v1/profiles/${customer.id}`);
  const sameThroughBothDoors = [profile, newer].some(({ facts }) => isDeepStrictEqual(overGraphql, facts));
  tell(`   ${sameThroughBothDoors ? 'value for value the same' : 'DIFFERENT'}`);

  tell('\n6. The person withdraws personalization');
  const revocation = await partner.rest<{ status: string; workflow_id: string }>(
    'POST',
    `/v1/consent-receipts/${receipt.id}/revoke`,
    {
      purposes: ['personalization'],
      reason: 'user_request',
    },
  );
  const refused = await partner.rest<{ error: { code: string; message: string } }>(
    'GET',
    `/v1/profiles/${customer.id}?consent_purpose=personalization`,
  );
  tell(`   refused at once: ${refused.error.code}: ${refused.error.message}`);
  const left = await partner.rest<Profile>('GET', `/v1/profiles/${customer.id}`);
  const factsLeft = left.facts.map(({ consent_purpose }) => consent_purpose);
  tell(`   what is left belongs to: ${[...new Set(factsLeft)].join(', ')}`);
  const cascade = await partner.finished(revocation.workflow_id);
  tell(`   erasure of the withdrawn data: ${cascade}`);
  return {
    facts: profile.facts.length,
    sameThroughBothDoors,
    afterRevocation: { status: revocation.status, code: refused.error.code, factsLeft },
    cascade,
  };
}

function claimsOf(customerId: string): Record<string, unknown>[] {
  const claim = (
    purpose: string,
    attribute: string,
    value: unknown,
    source: string,
    daysAgo: number,
    confidence: number,
  ): Record<string, unknown> => {
    const observedAt = new Date(Date.now() - daysAgo * DAY_MS).toISOString();
    return {
      customer_id: customerId,
      consent_purpose: purpose,
      attribute,
      value,
      source,
      observed_at: observedAt,
      confidence,
      provenance: { source_partner: 'Harbour Outfitters', source_system: source, collected_at: observedAt },
    };
  };
  return [
    claim('personalization', 'home.city', 'Lisbon', 'crm', 12, 0.9),
    claim('personalization', 'home.city', ' lisbon ', 'loyalty_card', 40, 0.8),
    claim('personalization', 'home.city', 'Porto', 'purchased_list', 700, 0.95),
    claim('personalization', 'favourite.colour', 'teal', 'survey', 5, 0.9),
    claim('personalization', 'interests', ['sailing', 'jazz'], 'survey', 5, 0.9),
    claim('personalization', 'interests', ['sailing', 'chess'], 'newsletter', 30, 0.7),
    claim('analytics', 'visits.monthly', 4, 'web_shop', 2, 0.95),
    claim('analytics', 'visits.monthly', 4, 'app', 3, 0.9),
  ];
}

function tellFact(tell: (line: string) => void, fact: Fact): void {
  const sources = fact.evidence.map(({ source }) => source).join(', ');
  tell(
    `   ${fact.attribute} = ${JSON.stringify(fact.resolved_value)}  (${percent(fact.confidence)}, ${fact.resolution_method}, for ${fact.consent_purpose})`,
  );
  tell(`     evidence: ${sources}`);
  for (const { value, confidence, reason } of fact.alternatives)
    tell(`     not ${JSON.stringify(value)} (${percent(confidence)}: ${reason})`);
}

function percent(probability: number): string {
  return `${(probability * 100).toFixed(1)} %`;
}

const PROFILE = `query Profile($id: ID!) { customer(id: $id) { resolvedProfile { facts {
  attribute resolved_value: resolvedValue confidence resolution_method: resolutionMethod consent_purpose:
    consentPurpose
  evidence {
    id customer_id: customerId attribute value source observed_at: observedAt consent_purpose: consentPurpose
    confidence
    provenance { source_partner: sourcePartner collected_at: collectedAt source_system: sourceSystem } }
  alternatives { value confidence reason } } } } }`;

/** GraphQL has enum values in upper case; otherwise the two APIs return the same. */
async function factsOverGraphql(partner: Partner, id: string): Promise<unknown> {
  interface Answer {
    data: { customer: { resolvedProfile: Profile } };
  }
  const { data } = await partner.graphql<Answer>(PROFILE, { id });
  return data.customer.resolvedProfile.facts.map((fact) => ({
    ...fact,
    consent_purpose: fact.consent_purpose.toLowerCase(),
    evidence: fact.evidence.map((claim) => ({
      ...claim,
      consent_purpose: claim.consent_purpose.toLowerCase(),
    })),
  }));
}
