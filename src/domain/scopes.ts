/** OAuth scopes (docs/contract.md#scopes) and their meanings. */
export const SCOPES = {
  offline_access: 'Stay signed in with rotating refresh tokens',
  'apps:read': 'Read the configuration of the partner app',
  'apps:write': 'Change the configuration of the partner app',
  'connections:read': 'Read connection sessions',
  'connections:write': 'Create or cancel connection sessions',
  'consent:read': 'Read consent receipts and effective consent',
  'consent:write': 'Record and revoke consent',
  'customers:read': 'Read customers',
  'customers:write': 'Create, change and erase customers',
  'ontologies:read': 'Read ontologies and their field maps',
  'ontologies:write': 'Rebuild ontology filter metadata',
  'entries:read': 'Read catalog entries',
  'entries:write': 'Create or update catalog entries',
  'events:read': 'Read the status of events',
  'events:write': 'Send events and claims',
  'profile:read': 'Read resolved profile facts',
  'profiles:read': 'Read profiles in bulk',
  'claims:read': 'Read claims',
  'intents:read': 'Read intents',
  'webhooks:read': 'Read webhook endpoints',
  'webhooks:write': 'Manage webhook endpoints',
  'workflows:read': 'Read the status of asynchronous work',
  'tokens:introspect': 'Ask whether a token is active',
  'tokens:revoke': 'Revoke tokens',
} as const;

export type Scope = keyof typeof SCOPES;

export const ALL_SCOPES = Object.keys(SCOPES) as Scope[];

export function isReadScope(scope: Scope): boolean {
  return scope.endsWith(':read');
}

export function isScope(text: string): text is Scope {
  return Object.hasOwn(SCOPES, text);
}
