import { LRUCache } from 'lru-cache';
import type { AppCaller, Caller } from '../access/Caller.js';
import type { Database } from '../database/Database.js';
import type { Notices } from '../database/Notices.js';
import { hashSecretToken } from '../domain/secretToken.js';
import type { AuthorizationServices } from '../accounts/AccountServices.js';
import { reachOf } from './reach.js';
import type { AccessTokenRow } from './readAccessToken.js';
import { readAccessToken } from './readAccessToken.js';

const OPAQUE_TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** Maximum cached tokens. */
const MAX_TOKENS = 10_000;

/** Maximum age of a cache entry while the process receives change notices, in milliseconds. */
const FRESH_MS = 5000;

/** The same while it does not receive them. */
const DEAF_MS = 500;

interface Remembered {
  caller: AppCaller;
  /** On the monotonic clock. */
  believedUntil: number;
}

/**
 * Resolves an access token to its caller. Results are cached for at most 5 s and never beyond the token's
 * expiry. They are removed at once when the token, its app or its member changes on any node.
 */
export class TokenVerifier {
  private readonly database: Database;
  private readonly notices: Notices;
  private readonly remembered = new LRUCache<string, Remembered>({ max: MAX_TOKENS });
  /** Reads in progress: concurrent requests with one token share a read. */
  private readonly reading = new Map<string, Promise<Caller>>();
  /** Counts the received changes. A token read while a change arrived may be stale and is not cached. */
  private generation = 0;

  /** @param notices while they do not arrive, tokens are cached for only half a second */
  constructor({ database, notices }: Pick<AuthorizationServices, 'database' | 'notices'>) {
    // Withdrawals authenticate first, so token reads use the reserved connections.
    this.database = database.urgent;
    this.notices = notices;
    this.notices.on('access_changed', (change) => this.forget(change));
  }

  /** @throws when the database is unavailable: no token is accepted without a read */
  async verify(bearer: string): Promise<Caller> {
    if (!OPAQUE_TOKEN.test(bearer)) return anonymous('The access token is malformed.');
    const hash = hashSecretToken(bearer);
    const known = this.remembered.get(hash);
    return known !== undefined && performance.now() < known.believedUntil
      ? known.caller
      : this.readOnce(hash);
  }

  private readOnce(hash: string): Promise<Caller> {
    const begun = this.reading.get(hash);
    if (begun !== undefined) return begun;
    const reading = this.read(hash).finally(() => {
      if (this.reading.get(hash) === reading) this.reading.delete(hash);
    });
    this.reading.set(hash, reading);
    return reading;
  }

  private async read(hash: string): Promise<Caller> {
    const { generation } = this;
    const readAt = performance.now();
    const row = await readAccessToken(this.database, hash);
    const refusal = refusalOf(row);
    if (row === undefined || refusal !== undefined) return anonymous(refusal ?? UNKNOWN);
    const caller = callerOf(row);
    // A change of `heard` clears the cache, so no entry outlives the state in which it was made.
    const trustedMs = this.notices.heard ? FRESH_MS : DEAF_MS;
    const livesMs = livesMsOf(row);
    if (generation === this.generation)
      this.remembered.set(hash, { caller, believedUntil: readAt + Math.min(trustedMs, livesMs) });
    return caller;
  }

  /**
   * @param change `token:<hash>`, `app:<id>` or `member:<app>:<account>`; undefined: anything may have
   *   changed
   */
  private forget(change: string | undefined): void {
    this.generation += 1;
    this.reading.clear();
    const [kind, id, account] = change?.split(':') ?? [];
    if (kind === 'token' && id !== undefined) this.remembered.delete(id);
    else if (kind === 'app') this.forgetWhere((caller) => caller.appId === id);
    else if (kind === 'member')
      this.forgetWhere((caller) => caller.appId === id && caller.accountId === account);
    else this.remembered.clear();
  }

  private forgetWhere(matches: (caller: AppCaller) => boolean): void {
    for (const [hash, { caller }] of [...this.remembered]) if (matches(caller)) this.remembered.delete(hash);
  }
}

const UNKNOWN = 'The access token is unknown or was revoked.';

function livesMsOf(row: AccessTokenRow): number {
  return Date.parse(row.expires_at) - Date.parse(row.read_at);
}

function refusalOf(row: AccessTokenRow | undefined): string | undefined {
  if (row === undefined) return UNKNOWN;
  if (livesMsOf(row) <= 0) return 'The access token has expired.';
  if (row.app_status !== 'active') return 'The app is disabled.';
  if (row.account_id !== null && row.member_scopes === null) return UNKNOWN;
  return undefined;
}

/** As `/oauth/userinfo` has it. */
function mayKnowEmail(scope: string | null): boolean {
  const scopes = (scope ?? '').split(' ');
  return scopes.includes('openid') && scopes.includes('email');
}

function callerOf(row: AccessTokenRow): AppCaller {
  const { account_id: accountId, scope } = row;
  return Object.freeze({
    kind: 'app' as const,
    appId: row.app_id,
    clientId: row.app_id,
    scopes: new Set(
      reachOf(scope, row.allowed_scopes, accountId === null ? null : (row.member_scopes ?? [])),
    ),
    ...(accountId === null ? {} : { accountId, mayKnowEmail: mayKnowEmail(scope) }),
  });
}

function anonymous(reason: string): Caller {
  return { kind: 'anonymous', reason, invalidToken: true };
}
