import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRunning, processIdentity } from './processIdentity.js';

/**
 * Tracks which running services use one server, so that only the last one stops it. Each is a file named by
 * its process's identity; files of killed processes do not count. Changed only under the server's lock.
 */
export class ServerUsers {
  private readonly mine: string;

  constructor(private readonly directory: string) {
    this.mine = `${processIdentity(process.pid)}+${randomBytes(4).toString('hex')}`;
  }

  enter(): void {
    this.forgetKilled();
    writeFileSync(join(this.directory, this.mine), '');
  }

  /** @returns whether this was the last user */
  leave(): boolean {
    rmSync(join(this.directory, this.mine), { force: true });
    this.forgetKilled();
    return readdirSync(this.directory).length === 0;
  }

  private forgetKilled(): void {
    for (const name of readdirSync(this.directory)) {
      const [identity] = name.split('+');
      if (identity === undefined || !isRunning(identity)) rmSync(join(this.directory, name), { force: true });
    }
  }
}
