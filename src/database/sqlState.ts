export const DEADLOCK = '40P01';
export const LOCK_NOT_AVAILABLE = '55P03';
export const FOREIGN_KEY_VIOLATION = '23503';
export const UNIQUE_VIOLATION = '23505';

/** The SQLSTATE of a PostgreSQL error, or an empty string. */
export function sqlState(error: unknown): string {
  if (!(error instanceof Error) || !('code' in error)) return '';
  return String(error.code);
}

/**
 * Citus' texts of internal errors when a statement or a commit loses a worker, or a shard is replaced. For an
 * ending connection it reports the worker's last message without its SQLSTATE, or libpq's.
 */
const LOST_NODE = new RegExp(
  [
    'connection to the remote node',
    'failure on connection marked as essential',
    'could not commit transaction for shard',
    'failed to prepare transaction',
    'terminating connection (?:due to|because of)',
    'the database system is ',
    'server closed the connection unexpectedly',
    'no connection to the server',
    'could not (?:receive data from|send data to) server',
    'SSL (?:connection has been closed unexpectedly|SYSCALL error)',
    'could not find the intermediate result file',
    'could not find valid entry for shard',
    'shard for the given value does not exist',
  ].join('|'),
  'i',
);

/** A primary became a standby, or was made read-only. */
export const READ_ONLY = '25006';

/** A transaction rested too long, so PostgreSQL ended its session. */
const RESTED = '25P03';

/** The end of what pg says of a statement that it does not send. */
const NOT_SENT = /is not queryable$/;

/** Whether the connection or its server is gone, or the server is no longer the primary. */
export function isConnectionLost(error: unknown): boolean {
  const code = sqlState(error);
  if (/^(08|57P0[1-5])/.test(code) || code === READ_ONLY || code === RESTED) return true;
  if (/^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EHOSTUNREACH|ENETUNREACH)/.test(code)) return true;
  const message = error instanceof Error ? error.message : '';
  if (code === 'XX000' && LOST_NODE.test(message)) return true;
  return /connection terminated|timeout exceeded when trying to connect|query read timeout|not queryable|Client was closed/i.test(
    message,
  );
}

/** Whether the server, or the role's setting, takes no writes now. */
export function isReadOnly(error: unknown): boolean {
  return sqlState(error) === READ_ONLY;
}

/** Whether the statement was not sent, as its connection was known to be lost. */
export function wasNotSent(error: unknown): boolean {
  return error instanceof Error && NOT_SENT.test(error.message);
}

/**
 * SQLSTATEs that pass with time or with the operator's help: a refused login or database, a deadlock or
 * conflict after all retries, no resources (such as too many connections), an object in use, a canceled
 * query, a system error of the server (its disk, or a node killed while it answers).
 */
const TRANSIENT = /^(?:28...|3D000|40...|53...|55...|57...|58...)$/;

/**
 * Whether a failure is not caused by the work itself. Clients are told that the service is unavailable; work
 * is retried without counting the failure.
 */
export function isTransient(error: unknown): boolean {
  if (isConnectionLost(error) || TRANSIENT.test(sqlState(error))) return true;
  return error instanceof Error && /after calling end on the pool/i.test(error.message);
}
