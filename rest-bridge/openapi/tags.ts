/** The tags of the document, in the order in which partners need them. */
const TAGS = {
  Apps: 'Partner applications: their configuration, ceiling and client secret.',
  Customers: "A partner's customers, by the partner's own identifiers.",
  'Connection sessions': 'Short-lived invitations to a person to link their account and approve purposes.',
  Consent: 'Consent receipts, their revocation, and what is granted now.',
  Ontologies: 'The maps of the fields that catalog entries have.',
  Entries: 'Catalog objects, to which events refer.',
  'Events and claims':
    'What happened and what a source says of a customer: accepted at once, processed in order.',
  Profiles: 'Resolved facts, the claims behind them, and intents. Behind the consent gate.',
  Webhooks: 'Receivers of webhooks, their deliveries, and the types of events.',
  Workflows: 'Asynchronous work and how far it has come.',
  OAuth: 'The authorization server: sign-in, tokens, introspection and revocation (OAuth 2.1).',
  Discovery: 'Documents that describe the service to programs.',
} as const;

export type Tag = keyof typeof TAGS;

export const tags = Object.entries(TAGS).map(([name, description]) => ({ name, description }));

const BY_COLLECTION: Readonly<Record<string, Tag>> = {
  apps: 'Apps',
  customers: 'Customers',
  'connection-sessions': 'Connection sessions',
  'consent-receipts': 'Consent',
  ontologies: 'Ontologies',
  entries: 'Entries',
  events: 'Events and claims',
  claims: 'Events and claims',
  profiles: 'Profiles',
  'webhook-endpoints': 'Webhooks',
  'webhook-event-types': 'Webhooks',
  workflows: 'Workflows',
};

/** @throws Error for a collection without a tag */
export function tagOf(path: string): Tag {
  if (path.endsWith('/effective-consent')) return 'Consent';
  const tag = BY_COLLECTION[path.split('/')[2] ?? ''];
  if (tag === undefined) throw new Error(`${path} belongs to no chapter of the OpenAPI document.`);
  return tag;
}
