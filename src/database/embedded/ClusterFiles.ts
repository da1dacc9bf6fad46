import { accessSync, chmodSync, constants, mkdirSync, realpathSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { LaunchFailure } from './LaunchFailure.js';

/** Where everything of one embedded PostgreSQL lies: all under DATA_DIR/postgres. */
export class ClusterFiles {
  readonly home: string;
  /** The data directory, or a link to it where the server's user could not reach it here. */
  readonly cluster: string;
  /** The superuser's password, for the service's own eyes (0600). */
  readonly password: string;
  readonly log: string;
  readonly lock: string;
  /** One file per running service that uses the server. */
  readonly users: string;

  constructor(
    dataDir: string,
    /** For what the server's user cannot reach below `home`. */
    readonly room: string,
  ) {
    this.home = join(ownDirectory(resolve(dataDir)), 'postgres');
    this.cluster = join(this.home, 'cluster');
    this.password = join(this.home, 'password');
    this.log = join(this.home, 'server.log');
    this.lock = join(this.home, 'lock');
    this.users = join(this.home, 'users');
    ownDirectory(this.home);
    ownDirectory(this.users);
  }

  /** Lets another user walk through to the data directory; reading and listing stay ours alone. */
  openForOtherUser(): void {
    for (const directory of [join(this.home, '..'), this.home]) {
      chmodSync(directory, (statSync(directory).mode & 0o777) | 0o011);
    }
  }

  /** Who owns the data directory, when it exists. */
  owner(): { uid: number; gid: number } | undefined {
    const stats = statSync(join(this.cluster, 'PG_VERSION'), { throwIfNoEntry: false });
    return stats === undefined ? undefined : { uid: stats.uid, gid: stats.gid };
  }
}

/** The real path of a directory that is there and ours to write. */
function ownDirectory(directory: string): string {
  try {
    mkdirSync(directory, { recursive: true });
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
    return realpathSync(directory);
  } catch (error) {
    const { message } = error as Error;
    throw new LaunchFailure(
      `This user cannot write to ${directory} (${message}): run as the user that DATA_DIR belongs to, or choose another DATA_DIR.`,
    );
  }
}
