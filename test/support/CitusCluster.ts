import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './freePort.js';
import { childrenOf } from './childrenOf.js';
import { execute } from './execute.js';
import { killTree } from './killTree.js';

const DATABASE = 'consent';
const OWNER = 'consent_owner';

interface Node {
  port: number;
  cluster: string;
}

/**
 * A Citus cluster on this machine: a coordinator and workers, real PostgreSQL servers that are killed and
 * started again.
 */
export class CitusCluster {
  private readonly bin: string;
  private readonly room: string;
  private readonly nodes: Node[] = [];
  private readonly account: { uid: number; gid: number } | undefined;

  /** @param installation of a PostgreSQL that has Citus: the folder that holds `bin` */
  constructor(installation: string) {
    this.bin = join(installation, 'bin');
    this.room = mkdtempSync(join(tmpdir(), 'citus-'));
    chmodSync(this.room, 0o755);
    this.account = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : undefined;
  }

  /** Superusers' URLs, the coordinator's first. */
  get adminUrls(): string[] {
    return this.nodes.map(({ port }) => `postgres://postgres@127.0.0.1:${port}/${DATABASE}`);
  }

  /** As the owner of the schema, who is no superuser. */
  get ownerUrl(): string {
    return `postgres://${OWNER}:owner@127.0.0.1:${this.nodes[0]?.port ?? 0}/${DATABASE}`;
  }

  /** The processor time that all servers took so far, in milliseconds. */
  get cpuMs(): number {
    return this.nodes.reduce((sum, { cluster }) => sum + cpuOf(postmasterOf(cluster)), 0);
  }

  /**
   * Starts the servers and makes the database known to all of them. Without workers the coordinator has the
   * shards.
   */
  async start(workers: number): Promise<void> {
    for (let index = 0; index <= workers; index += 1) await this.addNode();
    const [coordinator, ...others] = this.nodes;
    for (const { port } of this.nodes) {
      await execute(serverUrl(port, 'postgres'), `CREATE DATABASE ${DATABASE}`);
      await execute(serverUrl(port, DATABASE), 'CREATE EXTENSION citus');
    }
    await this.sql(`SELECT citus_set_coordinator_host('127.0.0.1', ${coordinator?.port ?? 0})`);
    for (const { port } of others) await this.sql(`SELECT citus_add_node('127.0.0.1', ${port})`);
    if (others.length === 0)
      await this.sql(
        `SELECT citus_set_node_property('127.0.0.1', ${coordinator?.port ?? 0}, 'shouldhaveshards', true)`,
      );
    await this.sql(`CREATE ROLE ${OWNER} LOGIN CREATEROLE PASSWORD 'owner'`);
    await this.sql(`ALTER DATABASE ${DATABASE} OWNER TO ${OWNER}`);
    await this.sql(`GRANT ALL ON SCHEMA public TO ${OWNER}`);
  }

  /** On the coordinator, as a superuser. */
  sql<T>(text: string): Promise<T[]> {
    return execute<T>(serverUrl(this.nodes[0]?.port ?? 0, DATABASE), text);
  }

  /** What all servers logged as failed in a second, as `2026-11-22 16:05:59` in UTC. */
  failuresAt(second: string): string[] {
    return this.nodes.flatMap(({ cluster, port }) =>
      readFileSync(join(cluster, 'server.log'), 'utf8')
        .split('\n')
        .filter((line) => line.startsWith(second) && / (ERROR|FATAL|PANIC): /.test(line))
        .map((line) => `${port}: ${line}`),
    );
  }

  portOf(index: number): number {
    const node = this.nodes[index];
    if (node === undefined) throw new Error(`There is no node ${index}.`);
    return node.port;
  }

  /** SIGKILL to the server and all its processes. */
  kill(index: number): void {
    killTree(postmasterOf(this.nodes[index]?.cluster ?? ''));
  }

  restart(index: number): void {
    this.control(this.nodes[index]?.cluster ?? '', 'start');
  }

  stop(): void {
    for (const { cluster } of this.nodes) {
      try {
        this.control(cluster, 'stop');
      } catch {
        // It was killed.
      }
    }
    rmSync(this.room, { recursive: true, force: true });
  }

  private async addNode(): Promise<void> {
    const port = await freePort();
    const cluster = join(this.room, `node${this.nodes.length}`);
    mkdirSync(cluster, { mode: 0o700 });
    if (this.account !== undefined) chownSync(cluster, this.account.uid, this.account.gid);
    this.execute('initdb', [
      '-D',
      cluster,
      '-U',
      'postgres',
      '--auth=trust',
      '-E',
      'UTF8',
      '--locale=C.UTF-8',
    ]);
    appendFileSync(join(cluster, 'postgresql.conf'), SETTINGS.concat(`port=${port}`, '').join('\n'));
    this.nodes.push({ port, cluster });
    this.control(cluster, 'start');
  }

  private control(cluster: string, action: 'start' | 'stop'): void {
    const more = action === 'stop' ? ['-m', 'fast'] : ['-l', join(cluster, 'server.log')];
    this.execute('pg_ctl', ['-D', cluster, ...more, '-w', action]);
  }

  private execute(program: string, args: readonly string[]): void {
    execFileSync(join(this.bin, program), args, { ...this.account, cwd: '/', stdio: 'ignore' });
  }
}

const SETTINGS = [
  '',
  "listen_addresses='127.0.0.1'",
  "unix_socket_directories=''",
  "shared_preload_libraries='citus'",
  'wal_level=logical',
  'max_prepared_transactions=100',
  'max_connections=200',
  'max_worker_processes=16',
  "citus.node_conninfo='sslmode=prefer'",
  "log_timezone='UTC'",
];

function serverUrl(port: number, database: string): string {
  return `postgres://postgres@127.0.0.1:${port}/${database}`;
}

/** Of the account under which PostgreSQL runs where this process is root. */
function idOf(flag: '-u' | '-g'): number {
  return Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
}

function postmasterOf(cluster: string): number {
  return Number(readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[0]);
}

const TICK_MS = 10;

/** Its own time, that of its processes, and that of those which ended. */
function cpuOf(postmaster: number): number {
  return (
    [postmaster, ...childrenOf(postmaster)].reduce((sum, pid, place) => sum + ticksOf(pid, place === 0), 0) *
    TICK_MS
  );
}

function ticksOf(pid: number, withEnded: boolean): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    return fields.slice(11, withEnded ? 15 : 13).reduce((sum, ticks) => sum + ticks, 0);
  } catch {
    return 0;
  }
}
