import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chmodSync, chownSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './freePort.js';
import { serverAccount } from '../../src/database/embedded/serverAccount.js';
import { execute } from './execute.js';
import { killTree } from './killTree.js';

const ROOT = '/usr/lib/postgresql';

/** The programs of Debian's newest PostgreSQL server; undefined where none is installed. */
export function debianPostgres(): string | undefined {
  if (!existsSync(ROOT)) return undefined;
  const versions = readdirSync(ROOT).toSorted((a, b) => Number(b) - Number(a));
  return versions
    .map((version) => join(ROOT, version, 'bin'))
    .find((bin) => existsSync(join(bin, 'pg_basebackup')));
}

/** A PostgreSQL server on a data directory, of Debian's programs or of the packages'. */
export class PostgresServer {
  readonly data: string;
  readonly port: number;
  private readonly bin: string;
  private child: ChildProcess | undefined;

  constructor(bin: string, data: string, port: number) {
    this.bin = bin;
    this.data = data;
    this.port = port;
  }

  /** A folder that the server's account may write. */
  static room(path: string): string {
    mkdirSync(path, { recursive: true });
    const { uid, gid } = serverAccount();
    if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid);
    chmodSync(path, 0o755);
    return path;
  }

  static async create(bin: string, data: string, settings: readonly string[]): Promise<PostgresServer> {
    const args = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
    execFileSync(join(bin, 'initdb'), args, { ...serverAccount(), stdio: 'ignore', cwd: '/' });
    appendFileSync(join(data, 'postgresql.conf'), `\n${settings.join('\n')}\n`);
    return new PostgresServer(bin, data, await freePort());
  }

  get url(): string {
    return `postgres://postgres@127.0.0.1:${this.port}/postgres`;
  }

  /** Runs a program of the server's with the server's account. */
  run(program: string, args: readonly string[]): string {
    const path = program.startsWith('/') ? program : join(this.bin, program);
    const env = { ...process.env, PATH: `${this.bin}:${process.env['PATH'] ?? ''}` };
    return execFileSync(path, args, { ...serverAccount(), env, encoding: 'utf8', cwd: '/' });
  }

  /** Starts it and waits until it takes connections. */
  async start(settings: readonly string[] = []): Promise<void> {
    const own = [
      'listen_addresses=127.0.0.1',
      'unix_socket_directories=',
      'max_connections=100',
      ...settings,
    ];
    const args = ['-D', this.data, '-p', String(this.port), ...own.flatMap((setting) => ['-c', setting])];
    const child = spawn(join(this.bin, 'postgres'), args, { ...serverAccount(), cwd: '/', stdio: 'ignore' });
    this.child = child;
    while (!(await this.answers())) {
      if (child.exitCode !== null)
        throw new Error(`PostgreSQL ended with ${child.exitCode} instead of starting.`);
      await sleep(50);
    }
  }

  query(text: string): Promise<Record<string, unknown>[]> {
    return execute(this.url, text);
  }

  /** Ends it in good order, or as a machine ends that loses its power. */
  async stop(how: 'fast' | 'kill' = 'fast'): Promise<void> {
    const { child } = this;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    if (how === 'fast') child.kill('SIGINT');
    else killTree(child.pid);
    await ended;
  }

  private answers(): Promise<boolean> {
    return this.query('SELECT 1').then(
      () => true,
      () => false,
    );
  }
}
