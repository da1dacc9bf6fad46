import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { HostList } from './hosts/HostList.js';
import { primaryUrl } from './hosts/primaryUrl.js';
import { READ_ONLY } from './sqlState.js';
import { StartFailure } from './StartFailure.js';
import { explainTls, refuseUnreadableFiles } from './tlsFailure.js';

/**
 * Temporary failures: nothing listens yet, names do not resolve yet, PostgreSQL is starting, has no room or
 * is a standby that may take over.
 */
const TRANSIENT = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  '57P03',
  '53300',
  '08006',
  READ_ONLY,
]);

const NO_PRIMARY = '08006';
const INVALID_PASSWORD = '28P01';
/** What pg says, without a code, where the URL has no password and PostgreSQL asks for one. */
const NO_PASSWORD = /client password must be a/;
const CONNECT_TIMEOUT_MS = 5000;
const PAUSE_MS = 500;

export interface Patience {
  /** How long to retry, in milliseconds. */
  waitMs: number;
  /** Called once, after the first failed try. */
  onWait(reason: string): void;
  /** Whether to wait until the database takes writes too. */
  forWrites?: boolean;
}

/** For commands, which all write at least their log, and whose caller waits: the first failure is told. */
export const NO_PATIENCE: Patience = { waitMs: 0, onWait: () => undefined, forWrites: true };

/**
 * Waits until a database accepts a connection, and writes if asked for; with several hosts, until one of them
 * is the primary.
 *
 * @throws StartFailure naming `setting` and what to do, at once where waiting cannot help
 */
export async function reachDatabase(
  url: string,
  setting: string,
  { waitMs, onWait, forWrites = false }: Patience,
): Promise<void> {
  await refuseUnreadableFiles(url, setting);
  const end = performance.now() + waitMs;
  for (let tries = 0; ; tries += 1) {
    const failure = await tryConnecting(url, forWrites);
    if (failure === undefined) return;
    const code = codeOf(failure);
    if (!TRANSIENT.has(code) || performance.now() > end)
      throw new StartFailure(explain(url, setting, code, failure));
    if (tries === 0) onWait(explain(url, setting, code, failure));
    await sleep(PAUSE_MS);
  }
}

async function tryConnecting(url: string, forWrites: boolean): Promise<Error | undefined> {
  try {
    await connectOnce(await primaryUrl(url), forWrites);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

class TakesNoWrites extends Error {
  readonly code = READ_ONLY;
}

async function connectOnce(url: string, forWrites: boolean): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ refused: boolean }>(
      `SELECT current_setting('transaction_read_only')::boolean AS refused`,
    );
    if (forWrites && rows[0]?.refused === true) throw new TakesNoWrites();
  } finally {
    await client.end().catch(() => undefined);
  }
}

function codeOf(failure: Error): string {
  if ('code' in failure && typeof failure.code === 'string') return failure.code;
  if (NO_PASSWORD.test(failure.message)) return INVALID_PASSWORD;
  return /timeout/i.test(failure.message) ? 'ETIMEDOUT' : '';
}

/** Never contains the URL itself: it has a password. */
function explain(url: string, setting: string, code: string, failure: Error): string {
  const places = new HostList(url).urls.map((single) => new URL(single));
  const [{ hostname, pathname, username } = new URL(url)] = places;
  const place = places.map((at) => `${at.hostname}:${at.port || '5432'}`).join(', ');
  const tls = explainTls(place, code, failure);
  if (tls !== undefined) return `${setting}: ${tls}`;
  switch (code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${setting}: the host ${hostname} is not known here.`;
    case INVALID_PASSWORD:
    case '28000':
      return `${setting}: PostgreSQL at ${place} refuses the user ${username}: check the name and the password.`;
    case '3D000':
      return `${setting}: there is no database ${pathname.slice(1)} at ${place}. Create it first (createdb).`;
    case '57P03':
      return `${setting}: PostgreSQL at ${place} is starting or stopping.`;
    case '53300':
      return `${setting}: PostgreSQL at ${place} has no connection left; raise max_connections or lower POOL_SIZE.`;
    case READ_ONLY:
      return `${setting}: PostgreSQL at ${place} takes no writes: name its primary, or set default_transaction_read_only = off.`;
    case NO_PRIMARY:
      return `${setting}: none of ${place} is a primary that takes writes.`;
    default:
      return `${setting}: PostgreSQL does not answer at ${place} (${code || failure.message}).`;
  }
}
