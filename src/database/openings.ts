import pg from 'pg';
import type { Preamble } from './MessageGroup.js';
import type { Distribution } from './Distribution.js';
import type { ConnectionOptions, TransactionOptions } from './Transaction.js';

const BEGIN: Preamble = { name: 'begin', text: 'BEGIN', values: [] };

/**
 * Sets the app that row level security admits, and the bound of statements, for the current transaction only.
 */
const SET_APP = {
  name: 'set_app',
  text: `SELECT set_config('consent.app_id', $1, true), set_config('statement_timeout', $2, true)`,
};

/**
 * The same for a read. Says how it is planned (`Query.onePlan`) too, since what another read set ahead of it
 * in its flight stays.
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

/** PostgreSQL logs row locks too, so the commit would wait until they are on the disk. */
const NOT_DURABLE = {
  name: 'not_durable',
  text: `SELECT set_config('synchronous_commit', 'off', true)`,
  values: [],
};

/**
 * What goes before the one statement of a read: it admits the rows of an app, and bounds the statement.
 * Settings of the transaction, for poolers in transaction mode pass on no settings of the connection. On one
 * PostgreSQL the message group is the transaction; Citus hands the app on to workers in an explicit one only,
 * which `endRead` ends.
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

/** What goes before the first statement of a transaction. */
export function openTransaction(
  appId: string | null,
  {
    distribution,
    statementTimeout,
    byKeys = false,
    lockTimeout,
    locksOnly = false,
  }: TransactionOptions & ConnectionOptions,
): Preamble[] {
  if (distribution === 'citus') {
    const app = appId === null ? [] : [setLocal('consent.app_id', appId)];
    const wait = lockTimeout === undefined ? [] : [setLocal('lock_timeout', lockTimeout)];
    return [BEGIN, ...boundOnCoordinator(statementTimeout), ...app, ...wait];
  }
  const opening: Preamble[] = [
    BEGIN,
    { ...(byKeys ? SET_APP_BY_KEYS : SET_APP), values: [appId ?? '', statementTimeout] },
  ];
  if (lockTimeout !== undefined) opening.push({ ...LOCK_TIMEOUT, values: [lockTimeout] });
  if (locksOnly) opening.push(NOT_DURABLE);
  return opening;
}

/**
 * What bounds the statement behind it, which belongs to no app.
 *
 * @param inOrder as `Query` has it
 */
export function bounded(statementTimeout: string, inOrder = false): Preamble {
  return { ...(inOrder ? SET_BOUND_IN_ORDER : SET_BOUND), values: [statementTimeout] };
}

/** When the coordinator's time is over it cancels what workers still do for it. */
function boundOnCoordinator(statementTimeout: string): Preamble[] {
  return statementTimeout === '0' ? [] : [bounded(statementTimeout)];
}

/**
 * `set_config` stays on the coordinator; `SET LOCAL` is handed on to workers, with the whole text of its
 * message, so each is one of its own. Plans are Citus' own business: a generic one cannot choose a shard.
 */
function setLocal(setting: string, value: string): Preamble {
  return { text: `SET LOCAL ${setting} = ${pg.escapeLiteral(value)}`, values: [] };
}
