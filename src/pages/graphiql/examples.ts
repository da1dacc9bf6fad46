import type { Locale } from '../../texts/locale.js';

/** An operation to start from. */
export interface Example {
  name: Readonly<Record<Locale, string>>;
  query: string;
  variables: Record<string, unknown>;
}

const CUSTOMER = 'cus_…';
const KEY = 'change-me-for-each-new-request';

/**
 * Example operations for the main jobs, in the order in which a new user needs them. A test checks them
 * against the schema.
 */
export const EXAMPLES: readonly Example[] = [
  {
    name: {
      en: 'Find a customer with profile and consent',
      de: 'Kunden mit Profil und Einwilligungen finden',
    },
    query: `query FindCustomer($externalId: String!) {
  customers(externalId: $externalId, first: 1) {
    nodes {
      id
      externalId
      status
      effectiveConsent { purposes { purpose status grantedAt revokedAt } }
      resolvedProfile { facts { attribute resolvedValue confidence resolutionMethod consentPurpose } }
    }
  }
}`,
    variables: { externalId: 'member-00009' },
  },
  {
    name: {
      en: 'Read a profile for one purpose, with evidence',
      de: 'Profil für einen Zweck lesen, mit Belegen',
    },
    query: `query ReadProfile($customerId: ID!, $purpose: ConsentPurpose!) {
  resolvedProfile(customerId: $customerId, consentPurpose: $purpose) {
    resolvedAt
    facts {
      attribute
      resolvedValue
      confidence
      resolutionMethod
      evidence { source value confidence observedAt }
      alternatives { value confidence reason }
    }
  }
}`,
    variables: { customerId: CUSTOMER, purpose: 'PROFILE_RESOLUTION' },
  },
  {
    name: { en: 'List the newest customers', de: 'Neueste Kunden auflisten' },
    query: `query NewestCustomers($after: String) {
  customers(first: 25, after: $after) {
    nodes { id externalId createdAt }
    pageInfo { hasNextPage endCursor }
  }
}`,
    variables: {},
  },
  {
    name: { en: 'Create or update a customer', de: 'Kunden anlegen oder ändern' },
    query: `mutation CreateCustomer($input: CreateCustomerInput!, $key: String!) {
  createCustomer(input: $input, idempotencyKey: $key) {
    status
    customer { id externalId createdAt }
  }
}`,
    variables: { key: KEY, input: { externalId: 'user-1001', profile: { username: 'maya' } } },
  },
  {
    name: { en: 'Begin a connection session', de: 'Verbindung beginnen' },
    query: `mutation BeginConnection($input: CreateConnectionSessionInput!, $key: String!) {
  createConnectionSession(input: $input, idempotencyKey: $key) {
    connectionUrl
    session { id status expiresAt }
  }
}`,
    variables: {
      key: KEY,
      input: {
        customerId: CUSTOMER,
        requestedPurposes: ['ACCOUNT_LINKING', 'PERSONALIZATION'],
        expiresIn: 1800,
      },
    },
  },
  {
    name: { en: 'Follow a connection session', de: 'Verbindung verfolgen' },
    query: `query FollowConnection($id: ID!) {
  connectionSession(id: $id) { id status requestedPurposes expiresAt consentReceiptId serviceUserId }
}`,
    variables: { id: 'cs_…' },
  },
  {
    name: { en: 'Record consent', de: 'Einwilligung festhalten' },
    query: `mutation RecordConsent($input: CreateConsentReceiptInput!, $key: String!) {
  createConsentReceipt(input: $input, idempotencyKey: $key) {
    id
    status
    purposes { purpose status grantedAt }
  }
}`,
    variables: {
      key: KEY,
      input: { customerId: CUSTOMER, purposes: ['PROFILE_RESOLUTION'], termsVersion: '2026-11' },
    },
  },
  {
    name: { en: 'Withdraw consent', de: 'Einwilligung widerrufen' },
    query: `mutation WithdrawConsent($id: ID!, $input: RevokeConsentReceiptInput, $key: String!) {
  revokeConsentReceipt(id: $id, input: $input, idempotencyKey: $key) { workflowId status acceptedAt }
}`,
    variables: {
      id: 'rcp_…',
      key: KEY,
      input: { purposes: ['PROFILE_RESOLUTION'], reason: 'PARTNER_REQUEST' },
    },
  },
  {
    name: { en: 'Send a claim', de: 'Angabe senden' },
    query: `mutation SendClaim($input: IngestClaimInput!, $key: String!) {
  ingestClaim(input: $input, idempotencyKey: $key) { claimId status sequence workflowId }
}`,
    variables: {
      key: KEY,
      input: {
        customerId: CUSTOMER,
        attribute: 'home.city',
        value: 'Gothenburg',
        source: 'crm',
        observedAt: '2026-11-20T08:00:00.000Z',
        consentPurpose: 'PROFILE_RESOLUTION',
        confidence: 0.9,
        provenance: { sourcePartner: 'Acme', collectedAt: '2026-11-20T08:00:00.000Z' },
      },
    },
  },
  {
    name: { en: 'Follow a workflow', de: 'Vorgang verfolgen' },
    query: `query FollowWorkflow($id: ID!) {
  workflow(id: $id) { id type status createdAt updatedAt error { code message } }
}`,
    variables: { id: 'wf_…' },
  },
];
