import { expect } from 'chai';
import { hashSecretToken } from '../../src/domain/secretToken.js';
import { introspectToken } from '../../src/oauth/introspectToken.js';
import type { AuthorizationServices } from '../../src/accounts/AccountServices.js';
import { TokenVerifier } from '../../src/oauth/TokenVerifier.js';

const NOW = Date.parse('2026-03-01T00:00:00.000Z');
const SOON = '2026-03-01T00:00:10.000Z';
const UNKNOWN = 'The access token is unknown or was revoked.';
const EXPIRED = 'The access token has expired.';

/** A token by its letter, as clients send it. */
const token = (letter: string): string => letter.repeat(43);

const ROW = {
  app_id: 'app_1',
  account_id: null as string | null,
  scope: 'apps:read claims:read openid' as string | null,
  issued_at: '2026-02-28T23:59:59.900Z',
  expires_at: SOON,
  app_status: 'active',
  allowed_scopes: ['apps:read', 'claims:read', 'events:read'],
  member_scopes: null as string[] | null,
};

describe('A remembered access token', () => {
  let rows: Map<string, Partial<typeof ROW>>;
  let reads: number;
  let heard: boolean;
  let held: Promise<unknown>;
  let clock: number;
  let monotonic: number;
  let tell: (change: string | undefined) => void;

  beforeEach(() => {
    [rows, reads, heard, held] = [new Map(), 0, true, Promise.resolve()];
    [clock, monotonic] = [NOW, 1_000_000];
    performance.now = () => monotonic;
  });
  afterEach(() => {
    Reflect.deleteProperty(performance, 'now');
  });

  const know = (letter: string, row: Partial<typeof ROW> = {}): void => {
    rows.set(hashSecretToken(token(letter)), { ...ROW, ...row });
  };

  function verifierOf(): TokenVerifier {
    const read = async (_query: unknown, [hash]: [string]): Promise<unknown[]> => {
      reads += 1;
      const row = rows.get(hash);
      await held;
      return row === undefined ? [] : [{ ...row, read_at: new Date(clock).toISOString() }];
    };
    const notices = {
      get heard() {
        return heard;
      },
      on: (_channel: string, handler: typeof tell) => {
        tell = handler;
      },
    };
    const services = { database: { urgent: { read } }, notices };
    return new TokenVerifier(services as unknown as AuthorizationServices);
  }

  const refusal = (reason: string): object => ({ kind: 'anonymous', reason, invalidToken: true });

  it('identifies the app with the scopes that token, app and member have in common', async () => {
    know('a');
    know('b', { account_id: 'acc_1', member_scopes: ['claims:read', 'events:read'] });
    const verifier = verifierOf();
    expect(await verifier.verify(token('a'))).to.deep.equal({
      kind: 'app',
      appId: 'app_1',
      clientId: 'app_1',
      scopes: new Set(['apps:read', 'claims:read']),
    });
    const member = await verifier.verify(token('b'));
    expect(member).to.deep.include({ accountId: 'acc_1', scopes: new Set(['claims:read']) });
    expect(Object.isFrozen(member)).to.equal(true);
  });

  it('is refused with a reason, which is not remembered', async () => {
    const verifier = verifierOf();
    for (const bearer of ['', token('a').slice(1), `${token('a')}a`, `${token('a').slice(1)}.`])
      expect(await verifier.verify(bearer)).to.deep.equal(refusal('The access token is malformed.'));
    expect(reads).to.equal(0);
    expect(await verifier.verify(token('a'))).to.deep.equal(refusal(UNKNOWN));
    know('a', { expires_at: new Date(NOW).toISOString() });
    expect(await verifier.verify(token('a'))).to.deep.equal(refusal(EXPIRED));
    know('a', { app_status: 'disabled' });
    expect(await verifier.verify(token('a'))).to.deep.equal(refusal('The app is disabled.'));
    know('a', { account_id: 'acc_1' });
    expect(await verifier.verify(token('a'))).to.deep.equal(refusal(UNKNOWN));
    know('a');
    expect((await verifier.verify(token('a'))).kind).to.equal('app');
  });

  it('is remembered for 5 s while change notices arrive and for 0.5 s while they do not', async () => {
    know('a');
    const verifier = verifierOf();
    await verifier.verify(token('a'));
    monotonic += 4999;
    await verifier.verify(token('a'));
    expect(reads).to.equal(1);
    monotonic += 1;
    await verifier.verify(token('a'));
    expect(reads, 'from the time when it was read').to.equal(2);
    heard = false;
    tell(undefined);
    await verifier.verify(token('a'));
    expect(reads, 'what was learned while changes were heard is forgotten').to.equal(3);
    monotonic += 499;
    await verifier.verify(token('a'));
    expect(reads).to.equal(3);
    monotonic += 1;
    await verifier.verify(token('a'));
    expect(reads).to.equal(4);
  });

  it('is refused from its expiry on even when it is remembered', async () => {
    know('a', { expires_at: new Date(NOW + 3000).toISOString() });
    const verifier = verifierOf();
    const pass = (ms: number): void => void ([clock, monotonic] = [clock + ms, monotonic + ms]);
    await verifier.verify(token('a'));
    pass(2999);
    expect((await verifier.verify(token('a'))).kind).to.equal('app');
    expect(reads).to.equal(1);
    pass(1);
    expect(await verifier.verify(token('a'))).to.deep.equal(refusal(EXPIRED));
  });

  it('is read once for several requests at the same time', async () => {
    know('a');
    const verifier = verifierOf();
    const callers = await Promise.all([1, 2, 3].map(() => verifier.verify(token('a'))));
    expect(reads).to.equal(1);
    expect(new Set(callers).size).to.equal(1);
  });

  it('is read again after a change notice that arrived during its read', async () => {
    know('a');
    const verifier = verifierOf();
    let release: (value?: unknown) => void = () => undefined;
    held = new Promise((resolve) => (release = resolve));
    const early = verifier.verify(token('a'));
    tell('app:app_9');
    held = Promise.resolve();
    rows.clear();
    expect(await verifier.verify(token('a')), 'asked after the change').to.deep.equal(refusal(UNKNOWN));
    release();
    expect((await early).kind).to.equal('app');
    expect(await verifier.verify(token('a'))).to.deep.equal(refusal(UNKNOWN));
    expect(reads).to.equal(3);
  });

  it('is read once for all requests after a change notice while an older read still runs', async () => {
    know('a');
    const verifier = verifierOf();
    const releases: (() => void)[] = [];
    const hold = (): void => {
      held = new Promise((resolve) => releases.push(() => resolve(undefined)));
    };
    hold();
    const first = verifier.verify(token('a'));
    tell('app:app_9');
    hold();
    const second = verifier.verify(token('a'));
    releases[0]?.();
    await first;
    const third = verifier.verify(token('a'));
    releases[1]?.();
    await Promise.all([second, third]);
    expect(reads).to.equal(2);
  });

  const forgotten: [change: string | undefined, letters: string][] = [
    [`token:${hashSecretToken(token('a'))}`, 'a'],
    ['app:app_1', 'ab'],
    ['member:app_1:acc_1', 'b'],
    ['member:app_2:acc_1', 'c'],
    ['member:app_1:acc_9', ''],
    ['token', 'abc'],
    ['other:thing', 'abc'],
    [undefined, 'abc'],
  ];
  for (const [change, letters] of forgotten)
    it(`is forgotten alone when ${change?.slice(0, 20) ?? 'anything may have'} changed`, async () => {
      know('a');
      know('b', { account_id: 'acc_1', member_scopes: [] });
      know('c', { app_id: 'app_2', account_id: 'acc_1', member_scopes: [] });
      const verifier = verifierOf();
      for (const letter of 'abc') await verifier.verify(token(letter));
      tell(change);
      let again = '';
      for (const letter of 'abc') {
        const before = reads;
        await verifier.verify(token(letter));
        if (reads > before) again += letter;
      }
      expect(again).to.equal(letters);
    });

  it('is forgotten as the least recently used of more than 10,000', async () => {
    const numbered = Array.from({ length: 10_001 }, (_, place) => String(place).padStart(43, '-'));
    for (const bearer of numbered) rows.set(hashSecretToken(bearer), ROW);
    const verifier = verifierOf();
    const [first = '', second = ''] = numbered;
    for (const bearer of numbered.slice(0, 10_000)) await verifier.verify(bearer);
    await verifier.verify(first);
    await verifier.verify(numbered[10_000] ?? '');
    expect(reads).to.equal(10_001);
    await verifier.verify(first);
    expect(reads).to.equal(10_001);
    await verifier.verify(second);
    expect(reads).to.equal(10_002);
  });

  it('is not accepted when its read fails, and is read again afterwards', async () => {
    know('a');
    const verifier = verifierOf();
    held = Promise.reject(new Error('The database is away.'));
    const failed = await verifier.verify(token('a')).catch((error: Error) => error.message);
    expect(failed).to.equal('The database is away.');
    held = Promise.resolve();
    expect((await verifier.verify(token('a'))).kind).to.equal('app');
  });
});

describe('introspectToken', () => {
  const STORED = {
    kind: 'AccessToken',
    account_id: null as string | null,
    scope: 'apps:read claims:read',
    issued_at: '2026-02-28T23:59:59.900Z',
    expires_at: SOON,
    consumed_at: null as string | null,
    allowed_scopes: ['claims:read'],
    member_scopes: null as string[] | null,
    email: null as string | null,
  };

  async function stateOf(row?: Partial<typeof STORED>): Promise<object> {
    const asked: unknown[][] = [];
    const read = (_query: unknown, values: unknown[]): Promise<unknown[]> => {
      asked.push(values);
      return Promise.resolve(row === undefined ? [] : [{ ...STORED, ...row }]);
    };
    const services = {
      database: { read },
      config: { baseUrl: 'https://api.example' },
    };
    const state = await introspectToken(
      services as unknown as Parameters<typeof introspectToken>[0],
      'app_1',
      token('a'),
    );
    expect(asked).to.deep.equal([[hashSecretToken(token('a')), 'app_1']]);
    return state;
  }

  it('describes a token of an app with times in whole seconds', async () => {
    expect(await stateOf({})).to.deep.equal({
      active: true,
      scope: 'claims:read',
      client_id: 'app_1',
      token_type: 'Bearer',
      exp: NOW / 1000 + 10,
      iat: NOW / 1000 - 1,
      sub: 'app_1',
      aud: 'https://api.example',
      iss: 'https://api.example',
    });
  });

  it('describes a refresh token of a person without a token type', async () => {
    const person = { account_id: 'acc_1', member_scopes: ['claims:read'], email: 'a@b.example' };
    const state = await stateOf({
      ...person,
      kind: 'RefreshToken',
      member_scopes: ['claims:read', 'offline_access'],
      allowed_scopes: ['apps:read', 'claims:read', 'offline_access'],
    });
    expect(state).to.include({ scope: 'claims:read', username: 'a@b.example', sub: 'acc_1' });
    expect(state).to.not.have.property('token_type');
    const both = await stateOf({
      ...person,
      member_scopes: ['apps:read', 'claims:read'],
      allowed_scopes: ['apps:read', 'claims:read'],
    });
    expect(both).to.include({ scope: 'apps:read claims:read', token_type: 'Bearer' });
  });

  it('reports a token as inactive when it is not found, used or of a former member', async () => {
    const inactive = { active: false };
    expect(await stateOf()).to.deep.equal(inactive);
    expect(await stateOf({ consumed_at: '2026-02-28T23:59:59.950Z' })).to.deep.equal(inactive);
    expect(await stateOf({ account_id: 'acc_1' })).to.deep.equal(inactive);
    const withoutOffline = { account_id: 'acc_1', member_scopes: ['claims:read'], kind: 'RefreshToken' };
    expect(await stateOf(withoutOffline)).to.deep.equal(inactive);
  });
});
