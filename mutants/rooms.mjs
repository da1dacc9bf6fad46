// What Stryker mutates, and the tests that it holds against it; `timeoutMS` where they are fast.
const test = (...names) => names.map((name) => `dist/test/${name}.test.js`);
const oauth = (...names) => names.map((name) => `src/oauth/${name}.ts`);
const loaders = (...names) => names.map((name) => `src/loaders/${name}.ts`);

export const rooms = {
  access: {
    mutate: ['src/access/**/*.ts', '!src/access/consentGate.ts'],
    timeoutMS: 15_000,
    tests: test(
      'access/Turns',
      'access/authorize',
      'access/bounds',
      'access/charge',
      'access/describeError',
    ).concat(
      test(
        'access/guardSchema',
        'access/guardedFields',
        'access/ReplayStorage',
        'access/inputShape',
        'access/readShape',
        'access/recordAct',
        'access/takeSlice',
      ),
    ),
  },
  gate: {
    mutate: ['src/access/consentGate.ts'],
    tests: test('access/consentGate', 'access/epochs', 'journeys/explanation'),
  },
  idempotency: {
    mutate: ['src/commands/idempotency*.ts'],
    tests: test('commands/runCommand'),
  },
  keys: {
    mutate: ['src/domain/idempotency.ts'],
    tests: test('domain/idempotency'),
  },
  clients: {
    mutate: oauth('authenticateClient', 'findClient', 'knownDevice', 'reach', 'readForm'),
    timeoutMS: 30_000,
    tests: test('oauth/clientIdentity'),
  },
  tokens: {
    mutate: oauth('TokenVerifier', 'introspectToken'),
    timeoutMS: 30_000,
    tests: test('oauth/rememberedTokens'),
  },
  artifacts: {
    mutate: oauth('ArtifactAdapter', 'readAccessToken', 'revokeToken', 'signingKeys', 'TurningKeys'),
    tests: test('oauth/ArtifactAdapter', 'oauth/introspection', 'oauth/signingKeys'),
  },
  signIn: {
    mutate: oauth('AuthorizationRequest', 'interactionPolicy', 'signIn', 'accountSession'),
    tests: test('oauth/authorizationCode', 'oauth/signIn'),
  },
  pages: {
    mutate: loaders('SharedLoader', 'Statement', 'page', 'timePosition'),
    timeoutMS: 30_000,
    tests: test('loaders/SharedLoader', 'loaders/pageObjects', 'loaders/toPage'),
  },
  loaders: {
    mutate: loaders('SharedReads', 'countUpTo', 'loadGates'),
    tests: test('loaders/page', 'loaders/lists'),
  },
};
