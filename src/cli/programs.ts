/** A command that is a separate program, with the options of its usage text. */
export interface Program {
  summary: string;
  load: () => Promise<unknown>;
  options: readonly string[];
}

/** These commands by their words. Loading one runs it. */
export const programs: Readonly<Record<string, Program>> = {
  'account create': {
    summary: 'Makes an account, or gives one another password.',
    load: () => import('./createAccount.js'),
    options: ['email', 'app', 'scopes', 'generate', 'reset-password'],
  },
  'member add': {
    summary: 'Makes an account a member of an app.',
    load: () => import('./addMember.js'),
    options: ['email', 'app', 'scopes'],
  },
  'member remove': {
    summary: 'Ends a membership and its tokens.',
    load: () => import('./removeMember.js'),
    options: ['email', 'app'],
  },
  'ontology import': {
    summary: 'Defines the ontologies of a file.',
    load: () => import('./importOntology.js'),
    options: [],
  },
  'database migrate': {
    summary: 'Brings the database to this version.',
    load: () => import('./migrate.js'),
    options: [],
  },
  'database distribute': {
    summary: 'Spreads the schema over the nodes of a Citus cluster.',
    load: () => import('./distribute.js'),
    options: [],
  },
  'demo run': {
    summary: 'Walks the main job on a service of its own.',
    load: () => import('./demo.js'),
    options: [],
  },
  'demo data': {
    summary: 'Fills the demo app of a running development service.',
    load: () => import('./demoData.js'),
    options: ['customers', 'url'],
  },
  'schema print': {
    summary: 'Writes the generated files of the schema.',
    load: () => import('./printSchema.js'),
    options: ['allow-breaking'],
  },
  'webhooks listen': {
    summary: "Shows an app's webhooks as they come.",
    load: () => import('./listenWebhooks.js'),
    options: ['forward', 'events', 'url'],
  },
  'journal prune': {
    summary: 'Removes files of the journal of withdrawals that no backup needs.',
    load: () => import('./pruneJournal.js'),
    options: ['before'],
  },
  'keys rotate': {
    summary: 'Makes a new signing key.',
    load: () => import('./rotateSigningKey.js'),
    options: [],
  },
  'keys revoke': {
    summary: 'Takes a signing key that leaked out of use.',
    load: () => import('./revokeSigningKey.js'),
    options: ['key'],
  },
  'secrets reseal': {
    summary: 'Seals every stored secret under the first key of SECRETS_KEY.',
    load: () => import('./resealSecrets.js'),
    options: ['drop-logins'],
  },
  'consent checkpoint': {
    summary: 'Signs how far every ledger of consent has come.',
    load: () => import('./checkpointConsent.js'),
    options: ['out'],
  },
  'consent verify': {
    summary: 'Checks the ledgers of consent.',
    load: () => import('./verifyConsent.js'),
    options: ['app', 'checkpoints'],
  },
};
