import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { findPostmaster, within } from '../../src/database/embedded/postmaster.js';
import { execute } from './execute.js';

export interface HolderOptions {
  dataDir: string;
  systemRoom: string;
  /** Who runs it; nothing set: as we are. */
  uid?: number | undefined;
  gid?: number | undefined;
  env?: NodeJS.ProcessEnv;
  /** The tree whose dist/ and node_modules it runs from; our own by default. */
  tree?: string;
}

/** A process that holds the embedded PostgreSQL of a DATA_DIR, as a service does. */
export class EmbeddedHolder {
  url = '';
  adopted = false;
  /** What it logged, or why it ended. */
  messages = '';
  private readonly options: HolderOptions;
  private readonly child: ChildProcess;

  private constructor(options: HolderOptions) {
    this.options = options;
    const { tree = '.', dataDir, systemRoom, uid, gid, env = {} } = options;
    const program = join(resolve(tree), 'dist/test/support/holdEmbeddedPostgres.js');
    this.child = spawn(process.execPath, [program, dataDir, systemRoom], {
      ...(uid === undefined ? {} : { uid, gid: gid ?? uid }),
      cwd: '/',
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child.stderr?.on('data', (text: Buffer) => (this.messages += text.toString()));
  }

  /** Starts it; rejects with what it printed when it ends without a server. */
  static async start(options: HolderOptions): Promise<EmbeddedHolder> {
    const holder = new EmbeddedHolder(options);
    await holder.ready();
    return holder;
  }

  /** Starts it and kills it, without a word, so many milliseconds later. */
  static async startAndKill(options: HolderOptions, afterMs: number): Promise<void> {
    const holder = new EmbeddedHolder(options);
    setTimeout(() => holder.child.kill('SIGKILL'), afterMs);
    await once(holder.child, 'close');
  }

  query(text: string): Promise<Record<string, unknown>[]> {
    return execute(this.url, text);
  }

  /** The server's pid, when it runs. */
  postmasterPid(): number | undefined {
    return findPostmaster(this.cluster())?.pid;
  }

  cluster(): string {
    return realpathSync(join(this.options.dataDir, 'postgres', 'cluster'));
  }

  /** A graceful end; the exit code. */
  async stop(): Promise<number> {
    return this.end('SIGTERM');
  }

  /** kill -9 of the service alone: PostgreSQL stays. */
  async kill(): Promise<void> {
    await this.end('SIGKILL');
  }

  /** kill -9 of PostgreSQL, and waits until it is dead. */
  async killPostmaster(): Promise<void> {
    const pid = this.postmasterPid();
    if (pid === undefined) throw new Error('PostgreSQL does not run.');
    process.kill(pid, 'SIGKILL');
    await within(10, () => this.postmasterPid() !== pid);
  }

  private async end(signal: NodeJS.Signals): Promise<number> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      this.child.kill(signal);
      await once(this.child, 'close');
    }
    return this.child.exitCode ?? -1;
  }

  private async ready(): Promise<void> {
    const { stdout } = this.child;
    if (stdout === null) throw new Error('The holder has no output.');
    const closed = once(this.child, 'close').then(() => undefined);
    const line = await Promise.race([once(createInterface(stdout), 'line'), closed]);
    if (line === undefined) throw new Error(this.messages);
    Object.assign(this, JSON.parse(String(line[0])) as { url: string; adopted: boolean });
  }
}
