import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { ClusterFiles } from '../../src/database/embedded/ClusterFiles.js';
import { findBinaries } from '../../src/database/embedded/findBinaries.js';
import { freePort } from '../../src/database/embedded/freePort.js';
import { SERVER_ENVIRONMENT } from '../../src/database/embedded/runAsServer.js';
import { startEmbeddedPostgres } from '../../src/database/embedded/startEmbeddedPostgres.js';
import type { EmbeddedPostgres } from '../../src/database/embedded/startEmbeddedPostgres.js';

const LOG = { info: () => undefined, warn: () => undefined };
const ARGUMENTS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'max_connections=300',
  'fsync=off',
  'log_min_messages=fatal',
];

/** A primary and a streaming standby of it, both PostgreSQL of the packages. */
export class Standby {
  readonly primary: EmbeddedPostgres;
  readonly url: string;
  private readonly cluster: string;
  private readonly port: number;
  private readonly postgres: string;
  private child: ChildProcess | undefined;

  private constructor(primary: EmbeddedPostgres, cluster: string, postgres: string, port: number) {
    this.primary = primary;
    this.cluster = cluster;
    this.postgres = postgres;
    this.port = port;
    const url = new URL(primary.url);
    url.port = String(port);
    this.url = url.toString();
  }

  /** @param room an empty directory that the server's user can enter */
  static async start(room: string): Promise<Standby> {
    const dataDir = join(room, 'primary');
    const options = { dataDir, log: LOG, fsync: false, systemRoom: join(room, 'system') };
    const first = await startEmbeddedPostgres(options);
    await first.stop();
    const source = realpathSync(join(dataDir, 'postgres', 'cluster'));
    const cluster = `${source}-standby`;
    execFileSync('cp', ['-a', source, cluster]);
    rmSync(join(cluster, 'postmaster.pid'), { force: true });
    const primary = await startEmbeddedPostgres(options);
    const { uid, gid } = statSync(cluster);
    const account = process.getuid?.() === 0 ? { uid, gid } : {};
    const { postgres } = findBinaries(account, new ClusterFiles(dataDir, options.systemRoom));
    const { username, password, port } = new URL(primary.url);
    appendFileSync(
      join(cluster, 'postgresql.auto.conf'),
      `\nprimary_conninfo = 'host=127.0.0.1 port=${port} user=${username} password=${decodeURIComponent(password)}'\n`,
    );
    writeFileSync(join(cluster, 'standby.signal'), '');
    const standby = new Standby(primary, cluster, postgres, await freePort());
    await standby.launch();
    return standby;
  }

  async launch(): Promise<void> {
    const { uid, gid } = statSync(this.cluster);
    const account = process.getuid?.() === 0 ? { uid, gid } : {};
    rmSync(join(this.cluster, 'postmaster.pid'), { force: true });
    const args = ['-D', this.cluster, '-p', String(this.port), ...ARGUMENTS.flatMap((setting) => ['-c', setting])];
    this.child = spawn(this.postgres, args, { ...account, cwd: '/', env: SERVER_ENVIRONMENT, stdio: 'ignore' });
    while (!(await this.answers())) await new Promise((wake) => setTimeout(wake, 30));
  }

  /** Stops replay: the standby answers, with an ever older state. */
  async pauseReplay(): Promise<void> {
    await this.run('SELECT pg_wal_replay_pause()');
  }

  async resumeReplay(): Promise<void> {
    await this.run('SELECT pg_wal_replay_resume()');
  }

  /** Freezes or thaws every process of the standby. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    for (const pid of this.processes()) tryKill(pid, signal);
  }

  async kill(): Promise<void> {
    const { child } = this;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    for (const pid of this.processes().toReversed()) tryKill(pid, 'SIGKILL');
    await ended;
  }

  async stop(): Promise<void> {
    await this.kill();
    await this.primary.stop();
  }

  private processes(): number[] {
    const { pid } = this.child ?? {};
    if (pid === undefined) return [];
    const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
    const pairs = lines.map((line) => line.trim().split(/\s+/).map(Number));
    return [pid, ...pairs.flatMap(([child = 0, parent]) => (parent === pid ? [child] : []))];
  }

  private async answers(): Promise<boolean> {
    try {
      await this.run('SELECT 1');
      return true;
    } catch {
      return false;
    }
  }

  private async run(statement: string): Promise<void> {
    const client = new pg.Client({ connectionString: this.url, connectionTimeoutMillis: 1000 });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query(statement);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

function tryKill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone already.
  }
}
