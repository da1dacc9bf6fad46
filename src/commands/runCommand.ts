import type { CommandCall, RequestContext } from '../access/RequestContext.js';
import { Turns } from '../concurrency/Turns.js';
import { LOCK_NOT_AVAILABLE, sqlState } from '../database/sqlState.js';
import type { Transaction } from '../database/Transaction.js';
import { REPLAY_MS } from '../domain/idempotency.js';
import { ServiceError } from '../errors.js';
import type { RequestServices } from '../Services.js';
import { ADMIN_SCOPE } from './CommandContext.js';
import type { CommandContext } from './CommandContext.js';

/** Maximum wait of a request for the first one with its key, in milliseconds. */
const KEY_WAIT_MS = 5000;

/** Lock not available, or query canceled because the statement timeout is shorter than the wait. */
const STILL_RUNNING = [LOCK_NOT_AVAILABLE, '57014'];

export interface CommandOptions<T, Ahead = never> {
  /** What the command locks and reads first: sent with the key, so that it costs no round trip. */
  ahead?: (tx: Transaction) => Promise<Ahead>;
  /** The result shows a secret once: its stored replay is encrypted. */
  secret?: boolean;
  /**
   * Whether this is a withdrawal, which may use the reserved connections and is answered even when replay
   * storage is full.
   */
  urgent?: boolean;
  /** The customer whose data the result holds: erasing the customer erases the replay. */
  customerOf?: (result: T) => string | undefined;
}

/**
 * A key `k` is free when its answer is no longer replayed. The condition has no parameter: Citus (13.2.2)
 * cannot infer the type of a parameter in this clause of an `INSERT … SELECT`.
 */
export const REUSE_EXPIRED = `ON CONFLICT (app_id, key) DO UPDATE SET payload_hash = excluded.payload_hash,
    created_at = excluded.created_at, sealed = false, result = NULL, customer_id = NULL
  WHERE excluded.created_at - k.created_at > interval '${REPLAY_MS} milliseconds'`;

/**
 * The key was taken by the same transaction, so there always is a conflict. An `UPDATE` could read all keys
 * of the app: a plan that was made while they were few finds them by `idempotency_keys_created_at_idx`.
 */
export const KEEP_RESULT = `ON CONFLICT (app_id, key) DO UPDATE SET result = excluded.result,
    customer_id = excluded.customer_id`;

interface StoredResult {
  payload_hash: string;
  sealed: boolean;
  result: string;
}

type Work<T, Ahead> = (
  tx: Transaction,
  context: CommandContext,
  ahead: Promise<Ahead> | undefined,
) => Promise<T>;

/**
 * Runs a mutation once per key: the effect, the key and the result to replay commit in one transaction
 * (docs/contract.md#idempotency). A second request with the key waits for the first one, then replays its
 * result; a failed first one leaves no row, so the key is free again.
 */
export async function runCommand<T, Ahead>(
  request: RequestContext,
  work: Work<T, Ahead>,
  options: CommandOptions<T, Ahead> = {},
): Promise<T> {
  if (options.urgent !== true) await request.services.replayStorage.admit(scopeOf(request));
  return inTurnOfKey(request, (lockTimeout) => runInTurn(request, lockTimeout, work, options));
}

/** The turns of keys in this process, one for the requests of each. */
export function newKeyTurns(): Turns {
  return new Turns({ perApp: 1, room: Infinity, waitMs: KEY_WAIT_MS, refusal: stillRunning });
}

/**
 * Runs a command when no other of this process runs under its key. Those that wait hold none of the
 * transactions that the app may have open. Against other processes, the row of the key decides.
 *
 * @param run receives how long it may wait for a lock: what is left of the wait for the key
 * @throws ServiceError `idempotency_in_progress` when the turn does not come in time
 */
export function inTurnOfKey<T>(
  request: RequestContext,
  run: (lockTimeout: string, command: CommandCall) => Promise<T>,
): Promise<T> {
  const command = commandOf(request);
  const since = performance.now();
  return request.services.keyTurns.run(`${scopeOf(request)} ${storedKey(request, command.key)}`, () => {
    const leftMs = Math.ceil(KEY_WAIT_MS - (performance.now() - since));
    return run(`${Math.max(1, leftMs)}ms`, command);
  });
}

/** As `runCommand`, for a request that has the turn of its key. */
export async function runInTurn<T, Ahead>(
  request: RequestContext,
  lockTimeout: string,
  work: Work<T, Ahead>,
  options: CommandOptions<T, Ahead>,
): Promise<T> {
  const { services } = request;
  const command = commandOf(request);
  const context = contextOf(request);
  const kept = { key: storedKey(request, command.key), payloadHash: command.payloadHash };
  const inOneCommit = async (tx: Transaction): Promise<{ result: T; replayed: boolean }> => {
    const taking = takeKey(tx, context, kept);
    const ahead = options.ahead?.(tx);
    ahead?.catch(() => undefined);
    const stored = await taking;
    if (stored !== undefined)
      return { result: replay<T>(services, stored, command.payloadHash), replayed: true };
    const fresh = await work(tx, context, ahead);
    keepResult(tx, services, context, kept, fresh, options);
    return { result: fresh, replayed: false };
  };
  const database = options.urgent ? services.database.urgent : services.database;
  const { result, replayed } = await database.transaction(context.appId, inOneCommit, {
    byKeys: true,
    lockTimeout,
  });
  request.outcome.replayed ||= replayed;
  return result;
}

/** The context in which the request's command runs now. */
export function contextOf(request: RequestContext): CommandContext {
  const { services, command } = request;
  const rejected = command?.rejected ?? new Map<number, never>();
  return { appId: scopeOf(request), now: services.clock(), clock: services.clock, rejected };
}

function commandOf({ command }: RequestContext): CommandCall {
  if (command === undefined) throw new Error('A mutation ran outside its guard.');
  return command;
}

function scopeOf({ caller }: RequestContext): string {
  if (caller.kind === 'app') return caller.appId;
  if (caller.kind === 'admin') return ADMIN_SCOPE;
  throw new ServiceError('unauthenticated', caller.reason);
}

/** The key as it is stored: each administrative key has its own. */
function storedKey({ caller }: RequestContext, key: string): string {
  return caller.kind === 'admin' ? `${caller.key}/${key}` : key;
}

/** Takes the key, or returns what an earlier request stored under it. */
async function takeKey(
  tx: Transaction,
  { appId }: CommandContext,
  { key, payloadHash }: { key: string; payloadHash: string },
): Promise<StoredResult | undefined> {
  const taken = await insertKey(tx, [appId, key, payloadHash]);
  if (taken) return undefined;
  return tx.one<StoredResult>(
    'SELECT payload_hash, sealed, result FROM idempotency_keys WHERE app_id = $1 AND key = $2',
    [appId, key],
  );
}

async function insertKey(tx: Transaction, values: unknown[]): Promise<boolean> {
  try {
    const rows = await tx.query(
      `INSERT INTO idempotency_keys AS k (app_id, key, payload_hash, created_at) VALUES ($1, $2, $3, now())
       ${REUSE_EXPIRED} RETURNING 1 AS taken`,
      values,
    );
    return rows.length === 1;
  } catch (error) {
    if (!STILL_RUNNING.includes(sqlState(error))) throw error;
    throw stillRunning();
  }
}

function stillRunning(): ServiceError {
  return new ServiceError(
    'idempotency_in_progress',
    'The first request with this Idempotency-Key is still running.',
    { retryAfterSeconds: 1 },
  );
}

function replay<T>(services: RequestServices, stored: StoredResult, hash: string): T {
  if (stored.payload_hash !== hash) throw idempotencyConflict();
  return JSON.parse(stored.sealed ? services.secrets.open(stored.result) : stored.result) as T;
}

function idempotencyConflict(): ServiceError {
  return new ServiceError('idempotency_conflict', 'This Idempotency-Key was used with another payload.');
}

function keepResult<T>(
  tx: Transaction,
  services: RequestServices,
  { appId }: CommandContext,
  { key, payloadHash }: { key: string; payloadHash: string },
  result: T,
  { secret = false, customerOf }: Pick<CommandOptions<T>, 'secret' | 'customerOf'>,
): void {
  const text = JSON.stringify(result);
  tx.afterCommit(() => services.replayStorage.keep(appId, Buffer.byteLength(text)));
  tx.send(
    `INSERT INTO idempotency_keys (app_id, key, payload_hash, created_at, result, sealed, customer_id)
     VALUES ($1, $2, $3, now(), $4, $5, $6) ${KEEP_RESULT}, sealed = excluded.sealed`,
    [
      appId,
      key,
      payloadHash,
      secret ? services.secrets.seal(text) : text,
      secret,
      customerOf?.(result) ?? null,
    ],
  );
}

/**
 * Called for a request that is refused before its command runs. A used key belongs to an accepted payload, so
 * this payload is another one.
 *
 * @throws ServiceError `idempotency_conflict`
 */
export async function refuseUsedKey(request: RequestContext, key: string): Promise<void> {
  const appId = scopeOf(request);
  const values = [appId, storedKey(request, key)];
  const rows = await request.services.database.readAs(appId, USED_KEY, values);
  if (rows.length > 0) throw idempotencyConflict();
}

const USED_KEY = {
  name: 'used_key',
  text: `SELECT 1 FROM idempotency_keys WHERE app_id = $1 AND key = $2
    AND created_at >= now() - interval '${REPLAY_MS} milliseconds'`,
};
