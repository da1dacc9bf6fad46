import { spawnSync } from 'node:child_process';
import { userInfo } from 'node:os';
import { LaunchFailure } from './LaunchFailure.js';

/** The user that PostgreSQL runs as; unset: our own. PostgreSQL refuses to run as root. */
export interface ServerAccount {
  uid?: number;
  gid?: number;
}

const UNPRIVILEGED = ['postgres', 'nobody'];

/**
 * Under root the owner of the data, or else `postgres` or `nobody`; otherwise our own user.
 *
 * @param owner the owner of the cluster directory, if it exists
 */
export function serverAccount(owner?: { uid: number; gid: number }): ServerAccount {
  const uid = process.getuid?.();
  if (uid === undefined) return {};
  if (uid === 0)
    return owner !== undefined && owner.uid !== 0 ? { uid: owner.uid, gid: owner.gid } : unprivileged();
  if (owner !== undefined && owner.uid !== uid) throw wrongOwner(owner.uid, uid);
  requirePasswdEntry(uid);
  return {};
}

function unprivileged(): ServerAccount {
  for (const name of UNPRIVILEGED) {
    const uid = numericId('-u', name);
    const gid = numericId('-g', name);
    if (uid !== undefined && gid !== undefined && uid !== 0) return { uid, gid };
  }
  throw new LaunchFailure(
    'PostgreSQL does not run as root, and neither a user "postgres" nor "nobody" exists to run it as.',
  );
}

function numericId(option: string, name: string): number | undefined {
  const { status, stdout } = spawnSync('id', [option, name], { encoding: 'utf8' });
  return status === 0 ? Number(stdout.trim()) : undefined;
}

/** initdb and postgres look up the name of their user and fail without one. */
function requirePasswdEntry(uid: number): void {
  try {
    userInfo();
  } catch {
    throw new LaunchFailure(
      `The embedded PostgreSQL needs a user that has a name, and the current user id ${uid} has none in /etc/passwd. ` +
        'Run as a user that exists, add an entry for this id, or set DATABASE_URL to a PostgreSQL of your own.',
    );
  }
}

function wrongOwner(owner: number, uid: number): LaunchFailure {
  return new LaunchFailure(
    `The database in DATA_DIR belongs to user id ${owner}, and this is user id ${uid}. ` +
      'Run as that user, or choose another DATA_DIR.',
  );
}
