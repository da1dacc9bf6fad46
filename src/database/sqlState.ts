export const DEADLOCK = '40P01';
export const LOCK_NOT_AVAILABLE = '55P03';
export const UNIQUE_VIOLATION = '23505';

/** The SQLSTATE of a PostgreSQL error, or an empty text. */
export function sqlState(error: unknown): string {
  if (!(error instanceof Error) || !('code' in error)) return '';
  return String(error.code);
}

/**
 * What Citus calls an internal error where a worker was lost, or a shard replaced by others, under a
 * statement or a commit. Of a connection that ends it hands on the worker's last words, without their
 * SQLSTATE, or libpq's.
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

/** A primary that has become a standby, or was made read-only. */
const READ_ONLY = '25006';

/**
 * Whether the error means that the connection, or the server behind it, is gone, or is the primary no longer.
 */
export function isConnectionLost(error: unknown): boolean {
  const code = sqlState(error);
  if (/^(08|57P0[1-5])/.test(code) || code === READ_ONLY) return true;
  if (/^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EHOSTUNREACH|ENETUNREACH)/.test(code)) return true;
  const message = error instanceof Error ? error.message : '';
  if (code === 'XX000' && LOST_NODE.test(message)) return true;
  return /connection terminated|timeout exceeded when trying to connect|query read timeout|not queryable|Client was closed/i.test(
    message,
  );
}

/**
 * SQLSTATEs that pass with time or by the operator's hand: a login or database that is refused, a deadlock or
 * a conflict that came again at each try, no resources (too many connections among them), what is in use,
 * query canceled, an error of the server's system (its disk, or a node that is killed while it answers).
 */
const PASSING = /^(?:28...|3D000|40...|53...|55...|57...|58...)$/;

/**
 * Whether a failure says nothing about the work itself. Clients are told that the service is unavailable;
 * work is tried again without counting against it.
 */
export function isPassing(error: unknown): boolean {
  if (isConnectionLost(error) || PASSING.test(sqlState(error))) return true;
  return error instanceof Error && /after calling end on the pool/i.test(error.message);
}
