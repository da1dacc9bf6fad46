// What Stryker mutates, and the tests that it holds against it; `timeoutMS` where they are fast.
const test = (...names) => names.map((name) => `dist/test/${name}.test.js`);
const oauth = (...names) => names.map((name) => `src/oauth/${name}.ts`);
const loaders = (...names) => names.map((name) => `src/loaders/${name}.ts`);

export const rooms = {
  access: {
    mutate: [
      'src/access/**/*.ts',
      '!src/access/consentGate.ts',
      'src/concurrency/*.ts',
      '!src/concurrency/GroupCommit.ts',
    ],
    timeoutMS: 15_000,
    tests: test(
      'access/authorize',
      'access/bounds',
      'access/charge',
      'access/describeError',
      'access/guardSchema',
      'access/guardedFields',
      'access/ReplayStorage',
      'access/readShape',
      'access/inputShape',
      'access/recordAct',
      'concurrency/Turns',
      'concurrency/takeSlice',
    ),
  },
  gate: {
    mutate: ['src/access/consentGate.ts'],
    tests: test(
      'access/consentGate',
      'access/epochs',
      'journeys/explanation',
      'jobs/webhooks/claimDeliveries',
    ),
  },
  idempotency: {
    mutate: ['src/commands/runCommand.ts'],
    tests: test('commands/runCommand'),
  },
  keys: {
    mutate: ['src/domain/idempotency.ts'],
    tests: test('domain/idempotency'),
  },
  clients: {
    mutate: oauth('authenticateClient', 'findClient', 'knownDevice', 'reach', 'readForm'),
    timeoutMS: 30_000,
    tests: test('oauth/clientIdentity', 'oauth/tokenEndpoint'),
  },
  tokens: {
    mutate: oauth('TokenVerifier', 'introspectToken'),
    timeoutMS: 30_000,
    tests: test('oauth/rememberedTokens', 'oauth/introspection'),
  },
  artifacts: {
    mutate: oauth('ArtifactAdapter', 'readAccessToken', 'revokeToken', 'TurningKeys'),
    timeoutMS: 30_000,
    tests: test(
      'oauth/ArtifactAdapter',
      'oauth/TurningKeys',
      'oauth/introspection',
      'oauth/rememberedTokens',
      'oauth/tokenEndpoint',
    ),
  },
  signing: {
    mutate: oauth('signingKeys'),
    timeoutMS: 30_000,
    tests: test('oauth/storedKeys', 'oauth/signingKeys'),
  },
  signIn: {
    mutate: oauth('AuthorizationRequest', 'interactionPolicy', 'signIn', 'accountSession'),
    timeoutMS: 30_000,
    tests: test('oauth/browserSessions', 'oauth/signInPage', 'oauth/approvalPage', 'oauth/signIn'),
  },
  approval: {
    mutate: oauth(
      'interactionRouter',
      'prepareAuthorization',
      'copyEarlierGrant',
      'renderAuthorizationError',
      'identityScopes',
      'lifetimes',
      'limitInteractions',
      'oidcProvider',
    ),
    timeoutMS: 30_000,
    tests: test(
      'oauth/approvalPage',
      'oauth/signInPage',
      'oauth/authorizationCode',
      'oauth/authorizationBudgets',
    ),
  },
  endpoints: {
    mutate: oauth(
      'tokenRouter',
      'userinfoRouter',
      'sendOauthError',
      'sendErrorBody',
      'refuseOtherMethods',
      'refuseUnstorableRequest',
      'answerOauthFailures',
      'oauthReader',
      'protectedResourceMetadata',
    ),
    timeoutMS: 30_000,
    tests: test(
      'oauth/answerOauthFailures',
      'oauth/refusals',
      'oauth/oauthReader',
      'oauth/tokenBudgets',
      'oauth/databaseAway',
      'oauth/introspection',
      'oauth/tokenEndpoint',
    ),
  },
  provider: {
    mutate: oauth('createProvider', 'createAuthorizationServer'),
    timeoutMS: 30_000,
    tests: test('oauth/provider', 'oauth/firstPartyClient', 'oauth/tokenEndpoint'),
  },
  newcomers: {
    mutate: ['src/accounts/signUp.ts', 'src/accounts/signUpWithPasskey.ts', 'src/demo/ensureDemo.ts'],
    timeoutMS: 30_000,
    tests: test('accounts/newcomers', 'demo/ensureDemo'),
  },
  upstream: {
    mutate: oauth('upstreamRouter').concat('src/accounts/findOrCreateUpstreamAccount.ts'),
    timeoutMS: 30_000,
    tests: test('accounts/findOrCreateUpstreamAccount', 'oauth/upstream'),
  },
  operator: {
    mutate: [
      'src/accounts/addMember.ts',
      'src/accounts/removeMember.ts',
      'src/accounts/createAccount.ts',
    ].concat(
      oauth('listMemberApps', 'readMemberScopes', 'firstPartyClient', 'firstPartyPages', 'appSession'),
    ),
    timeoutMS: 30_000,
    tests: test('accounts/operatorAccounts', 'oauth/firstPartyClient', 'oauth/browserSessions'),
  },
  pages: {
    mutate: loaders('Statement', 'page', 'timePosition'),
    timeoutMS: 30_000,
    tests: test('loaders/pageObjects', 'loaders/toPage'),
  },
  loaders: {
    mutate: loaders('batched', 'countUpTo', 'loadGates'),
    timeoutMS: 30_000,
    tests: test('loaders/batched', 'loaders/loadProfiles', 'loaders/listEvents'),
  },
  loads: {
    mutate: ['src/loaders/load*.ts', '!src/loaders/loadGates.ts'].concat(
      loaders('readClaimPage', 'readTallies'),
    ),
    timeoutMS: 30_000,
    tests: test(
      'loaders/loadProfiles',
      'loaders/loadEntries',
      'loaders/loadOverview',
      'loaders/listClaims',
      'loaders/listConnectionSessions',
      'loaders/listConsent',
      'loaders/listEvents',
      'loaders/listPeople',
      'loaders/listWorkflows',
    ),
  },
  lists: {
    mutate: ['src/loaders/list*.ts'].concat(loaders('changedDeliveries', 'findConnectionLink')),
    timeoutMS: 30_000,
    tests: test(
      'loaders/listClaims',
      'loaders/listConnectionSessions',
      'loaders/listConsent',
      'loaders/listCustomers',
      'loaders/listEvents',
      'loaders/listIntents',
      'loaders/listPeople',
      'loaders/listRequestLog',
      'loaders/listWebhooks',
      'loaders/listWorkflows',
      'loaders/listPlans',
    ),
  },
};
