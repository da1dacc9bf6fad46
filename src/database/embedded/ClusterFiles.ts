import { accessSync, chmodSync, constants, realpathSync, statSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { join, resolve } from 'node:path';
import { makeFolder } from '../makeFolder.js';
import { LaunchFailure } from './LaunchFailure.js';

/** The files of one embedded PostgreSQL, all under DATA_DIR/postgres. */
export class ClusterFiles {
  readonly home: string;
  /** The data directory, or a link to it if the server's user cannot reach it here. */
  readonly cluster: string;
  /** The superuser's password, readable by the service only (0600). */
  readonly password: string;
  readonly log: string;
  readonly lock: string;
  /** One file per running service on the server. */
  readonly users: string;

  constructor(
    dataDir: string,
    /** For files that the server's user cannot reach below `home`. */
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

  /** Lets another user pass through to the data directory, without reading or listing. */
  openForOtherUser(): void {
    for (const directory of [join(this.home, '..'), this.home]) {
      chmodSync(directory, (statSync(directory).mode & 0o777) | 0o011);
    }
  }

  /** The owner of the data directory, if it exists. */
  owner(): { uid: number; gid: number } | undefined {
    const stats = versionFile(this.cluster);
    return stats === undefined ? undefined : { uid: stats.uid, gid: stats.gid };
  }
}

/** Whether there is a database under DATA_DIR, or something that this user may not look at. */
export function hasCluster(dataDir: string): boolean {
  try {
    return versionFile(join(dataDir, 'postgres', 'cluster')) !== undefined;
  } catch {
    return true;
  }
}

/** The file that every data directory of PostgreSQL has. */
function versionFile(cluster: string): Stats | undefined {
  return statSync(join(cluster, 'PG_VERSION'), { throwIfNoEntry: false });
}

/** The real path of an existing directory that we own. */
function ownDirectory(directory: string): string {
  try {
    makeFolder(directory);
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
    return realpathSync(directory);
  } catch (error) {
    const { message } = error as Error;
    throw new LaunchFailure(
      `This user cannot write to ${directory} (${message}): run as the user that DATA_DIR belongs to, or choose another DATA_DIR.`,
    );
  }
}
