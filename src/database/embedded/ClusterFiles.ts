import { chmodSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

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

  /** For what the server's user cannot reach below `home`. */
  readonly room: string;

  constructor(dataDir: string, room: string) {
    this.room = room;
    mkdirSync(dataDir, { recursive: true });
    this.home = join(realpathSync(resolve(dataDir)), 'postgres');
    this.cluster = join(this.home, 'cluster');
    this.password = join(this.home, 'password');
    this.log = join(this.home, 'server.log');
    this.lock = join(this.home, 'lock');
    this.users = join(this.home, 'users');
    mkdirSync(this.users, { recursive: true });
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
