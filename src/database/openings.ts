import pg from 'pg';
import type { Preamble } from './MessageGroup.js';
import type { Distribution } from './Distribution.js';

export interface TransactionOptions {
  /**
   * Every statement finds its rows by their keys, whatever the size of the tables, so its plan does not
   * depend on values. It is prepared by its name and planned once per connection, without scans of whole
   * tables and without hash and merge joins.
   */
  byKeys?: boolean;
  /** Maximum wait for a lock, as a duration of PostgreSQL; absent: the server's default. */
  lockTimeout?: string;
  /**
   * The transaction takes locks and writes nothing, so its commit does not wait for the disk or a standby.
   */
  locksOnly?: boolean;
}

/** What opening a transaction has to know of its connection. */
export interface OpeningOptions {
  distribution: Distribution;
  /** Maximum time for one statement, as a duration of PostgreSQL; 0: no bound. */
  statementTimeout: string;
}

const BEGIN: Preamble = { name: 'begin', text: 'BEGIN', values: [] };

/** Sets the app for row level security, and the statement timeout, for the current transaction only. */
const SET_APP = {
  name: 'set_app',
  text: `SELECT set_config('consent.app_id', $1, true), set_config('statement_timeout', $2, true)`,
};

/**
 * The same for a read. It also sets how the read is planned (`Query.onePlan`): a setting of an earlier read
 * of the flight would stay.
 */
const SET_APP_OF_READ = {
  name: 'set_app_of_read',
  text: `SELECT set_config('consent.app_id', $1, true), set_config('statement_timeout', $2, true),
    set_config('plan_cache_mode', $3, true)`,
};

const SET_APP_BY_KEYS = {
  name: 'begin_by_keys',
  text: `SELECT set_config('consent.app_id', $1, true), set_config('statement_timeout', $2, true),
    set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_seqscan', 'off', true),
    set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true)`,
};

const SET_BOUND = { name: 'set_bound', text: `SELECT set_config('statement_timeout', $1, true)` };

const SET_BOUND_IN_ORDER = {
  name: 'set_bound_in_order',
  text: `SELECT set_config('statement_timeout', $1, true), set_config('enable_sort', 'off', true)`,
};

const LOCK_TIMEOUT = { name: 'lock_timeout', text: `SELECT set_config('lock_timeout', $1, true)` };

/**
 * PostgreSQL logs row locks too, so the commit would wait for the disk. When this process is frozen, it ends
 * the transaction after a minute, so that no withdrawal waits longer for the lock.
 */
const LOCKS_ONLY = {
  name: 'locks_only',
  text: `SELECT set_config('synchronous_commit', 'off', true),
    set_config('idle_in_transaction_session_timeout', '60s', true)`,
  values: [],
};

/**
 * Maximum age of a transaction whose locks are relied on, in milliseconds: less than the time after which
 * PostgreSQL may have ended it because this process was frozen.
 */
export const LOCKS_SURE_MS = 30_000;

/**
 * Changes no row, but holds the app's shard on its node until the end of the transaction. A row lock alone
 * stays behind when the shard moves, and others can lock the row on the new node (ADR 21).
 */
const HOLD_SHARD = {
  text: `UPDATE customer_heads SET changed_at = changed_at WHERE app_id = $1 AND customer_id = ''`,
};

/**
 * The statements before a read: they admit the rows of an app and bound the read. They set transaction
 * settings, as poolers in transaction mode do not pass on settings of a connection. On one PostgreSQL the
 * message group is the transaction. Citus passes the app to workers only in an explicit transaction, which
 * `endRead` ends.
 */
export function openRead(
  distribution: Distribution,
  appId: string,
  statementTimeout: string,
  onePlan: boolean,
): Preamble[] {
  if (distribution === 'citus')
    return [BEGIN, ...boundOnCoordinator(statementTimeout), setLocal('consent.app_id', appId)];
  const plan = onePlan ? 'force_generic_plan' : 'auto';
  return [{ ...SET_APP_OF_READ, values: [appId, statementTimeout, plan] }];
}

/**
 * The read `text` of one app, for several at once (`Query.forApps`): `a.app` and `a.value2` on stand for its
 * parameters. The app is set for row level security when a row of `a` is made, and `a.app` is what
 * `set_config` returned. As `OFFSET 0` keeps both subqueries whole, `r` can only be the inner side of a
 * nested loop, and runs again for each row (docs/decisions/0043-one-statement-for-several-apps.md).
 *
 * @param values a row of each read: `app_id`, `place`, `value2` …; row level security must not apply
 */
export function forReadsOfApps(values: string, text: string): string {
  const read = text.replaceAll(/\$(\d+)/g, (_, place) => (place === '1' ? 'a.app' : `a.value${place}`));
  return `SELECT a.place::text AS place, r.*
    FROM (SELECT v.*, set_config('consent.app_id', v.app_id, true) AS app FROM (${values}) v OFFSET 0) a,
         LATERAL (${read} OFFSET 0) r`;
}

/** The statements before the first statement of a transaction. */
export function openTransaction(
  appId: string | null,
  {
    distribution,
    statementTimeout,
    byKeys = false,
    lockTimeout,
    locksOnly = false,
  }: TransactionOptions & OpeningOptions,
): Preamble[] {
  if (distribution === 'citus') {
    const app = appId === null ? [] : [setLocal('consent.app_id', appId), { ...HOLD_SHARD, values: [appId] }];
    const wait = lockTimeout === undefined ? [] : [setLocal('lock_timeout', lockTimeout)];
    return [BEGIN, ...boundOnCoordinator(statementTimeout), ...wait, ...app];
  }
  const opening: Preamble[] = [
    BEGIN,
    { ...(byKeys ? SET_APP_BY_KEYS : SET_APP), values: [appId ?? '', statementTimeout] },
  ];
  if (lockTimeout !== undefined) opening.push({ ...LOCK_TIMEOUT, values: [lockTimeout] });
  if (locksOnly) opening.push(LOCKS_ONLY);
  return opening;
}

/**
 * Bounds the next statement, which belongs to no app.
 *
 * @param inOrder as in `Query`
 */
export function bounded(statementTimeout: string, inOrder = false): Preamble {
  return { ...(inOrder ? SET_BOUND_IN_ORDER : SET_BOUND), values: [statementTimeout] };
}

/** At its timeout the coordinator cancels the statements of its workers. */
function boundOnCoordinator(statementTimeout: string): Preamble[] {
  return statementTimeout === '0' ? [] : [bounded(statementTimeout)];
}

/**
 * `set_config` stays on the coordinator. `SET LOCAL` is passed to workers with the whole text of its message,
 * so each setting has its own. Citus plans itself: a generic plan cannot choose a shard.
 */
function setLocal(setting: string, value: string): Preamble {
  return { text: `SET LOCAL ${setting} = ${pg.escapeLiteral(value)}`, values: [] };
}
