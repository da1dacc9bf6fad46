import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '../../support/freePort.js';
import { serverAccount } from '../../../src/database/embedded/serverAccount.js';
import { PostgresServer } from '../../support/PostgresServer.js';
import { killTree } from '../../support/killTree.js';
import { Running } from '../../support/Running.js';

const FILE = resolve('deploy/patroni/patroni.yml');
const PASSWORD = 'patroni-proof';
const PATIENCE_MS = 180_000;

interface Member {
  name: string;
  role: string;
  state: string;
}

interface Node {
  name: string;
  port: number;
  apiPort: number;
  data: string;
  env: NodeJS.ProcessEnv;
  patroni?: Running;
}

/** Nodes under Debian's Patroni with the configuration of `deploy/patroni`, over one etcd. */
export class PatroniCluster {
  private readonly nodes: Node[] = [];
  private readonly room: string;
  private readonly bin: string;
  private readonly etcd: ChildProcess;

  private constructor(room: string, bin: string, etcd: ChildProcess) {
    this.room = room;
    this.bin = bin;
    this.etcd = etcd;
  }

  /** @param bin the folder of PostgreSQL's programs */
  static async start(bin: string, names: readonly string[]): Promise<PatroniCluster> {
    const room = PostgresServer.room(realpathSync(mkdtempSync(join(tmpdir(), 'patroni-proof-'))));
    const [client, peer] = [await freePort(), await freePort()];
    const urls = { client: `http://127.0.0.1:${client}`, peer: `http://127.0.0.1:${peer}` };
    const etcd = spawn(
      'etcd',
      [
        ...['--name', 'only', '--data-dir', join(room, 'etcd'), '--initial-cluster', `only=${urls.peer}`],
        ...['--listen-client-urls', urls.client, '--advertise-client-urls', urls.client],
        ...['--listen-peer-urls', urls.peer, '--initial-advertise-peer-urls', urls.peer],
      ],
      { ...serverAccount(), stdio: 'ignore', cwd: '/' },
    );
    const cluster = new PatroniCluster(room, bin, etcd);
    for (const name of names) await cluster.add(name, `127.0.0.1:${client}`);
    for (const node of cluster.nodes) cluster.run(node);
    await cluster.whole();
    await cluster.sql(`CREATE ROLE consent_owner LOGIN CREATEROLE PASSWORD '${PASSWORD}'`);
    await cluster.sql('CREATE DATABASE consent OWNER consent_owner');
    return cluster;
  }

  /** All hosts, as a gateway is told of them. */
  get url(): string {
    const hosts = this.nodes.map(({ port }) => `127.0.0.1:${port}`).join();
    return `postgres://consent_owner:${PASSWORD}@${hosts}/consent?target_session_attrs=read-write`;
  }

  /** One URL for each host. */
  get urls(): string[] {
    return this.nodes.map(({ port }) => `postgres://consent_owner:${PASSWORD}@127.0.0.1:${port}/consent`);
  }

  /** Waits until one node leads, another is its synchronous standby, and all others follow. */
  async whole(): Promise<void> {
    await this.until('every node to lead or to follow', (members) => {
      const roles = members.filter(({ state }) => state !== 'starting').map(({ role }) => role);
      const isStreaming = members.every(({ state }) => ['running', 'streaming'].includes(state));
      return (
        isStreaming &&
        roles.length === this.nodes.length &&
        roles.includes('leader') &&
        roles.includes('sync_standby')
      );
    });
  }

  async leader(): Promise<string | undefined> {
    const members = await this.members();
    return members.find(({ role, state }) => role === 'leader' && state === 'running')?.name;
  }

  /** SIGKILL to Patroni and to PostgreSQL with all its processes, as a machine is lost. */
  async lose(name: string): Promise<void> {
    const node = this.named(name);
    const postmaster = postmasterOf(node.data);
    const ended = node.patroni?.end('SIGKILL');
    killTree(postmaster);
    await ended;
    delete node.patroni;
  }

  /** Starts a lost node's Patroni again, which makes it a standby. */
  bringBack(name: string): void {
    this.run(this.named(name));
  }

  /** An operator's order to swap the roles. */
  async switchOver(): Promise<void> {
    const members = await this.members();
    const leader = members.find(({ role }) => role === 'leader')?.name ?? '';
    const candidate = members.find(({ role }) => role === 'sync_standby')?.name ?? '';
    const response = await fetch(`http://127.0.0.1:${this.named(leader).apiPort}/switchover`, {
      method: 'POST',
      body: JSON.stringify({ leader, candidate }),
    });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`The switch-over was refused: ${text}`);
  }

  /** Waits until a node other than the given one leads. */
  async replaced(former: string): Promise<void> {
    await this.until('another leader', (members) =>
      members.some(({ role, state, name }) => role === 'leader' && state === 'running' && name !== former),
    );
  }

  async stop(): Promise<void> {
    for (const { name } of this.nodes) await this.lose(name);
    const ended = this.etcd.exitCode === null ? once(this.etcd, 'exit') : undefined;
    this.etcd.kill('SIGKILL');
    await ended;
    rmSync(this.room, { recursive: true, force: true });
  }

  /** On the leader, as the superuser. */
  private async sql(text: string): Promise<void> {
    const { port } = this.named((await this.leader()) ?? '');
    const client = new pg.Client({ host: '127.0.0.1', port, user: 'postgres', password: PASSWORD });
    await client.connect();
    try {
      await client.query(text);
    } finally {
      await client.end();
    }
  }

  private async add(name: string, etcd: string): Promise<void> {
    const [port, apiPort] = [await freePort(), await freePort()];
    const data = join(this.room, name);
    const env = {
      PATH: process.env['PATH'],
      HOME: this.room,
      PATRONI_NAME: name,
      PATRONI_ETCD3_HOSTS: etcd,
      PATRONI_RESTAPI_LISTEN: `127.0.0.1:${apiPort}`,
      PATRONI_RESTAPI_CONNECT_ADDRESS: `127.0.0.1:${apiPort}`,
      PATRONI_POSTGRESQL_LISTEN: `127.0.0.1:${port}`,
      PATRONI_POSTGRESQL_CONNECT_ADDRESS: `127.0.0.1:${port}`,
      PATRONI_POSTGRESQL_DATA_DIR: data,
      PATRONI_POSTGRESQL_BIN_DIR: this.bin,
      PATRONI_POSTGRESQL_PGPASS: join(this.room, `${name}.pgpass`),
      PATRONI_SUPERUSER_USERNAME: 'postgres',
      PATRONI_SUPERUSER_PASSWORD: PASSWORD,
      PATRONI_REPLICATION_USERNAME: 'replicator',
      PATRONI_REPLICATION_PASSWORD: PASSWORD,
    };
    this.nodes.push({ name, port, apiPort, data, env });
  }

  private run(node: Node): void {
    node.patroni = new Running(
      spawn('patroni', [FILE], {
        ...serverAccount(),
        env: node.env,
        cwd: '/',
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    );
  }

  private named(name: string): Node {
    const node = this.nodes.find((one) => one.name === name);
    if (node === undefined) throw new Error(`There is no node "${name}".`);
    return node;
  }

  private async until(what: string, holds: (members: Member[]) => boolean): Promise<void> {
    const end = performance.now() + PATIENCE_MS;
    while (!holds(await this.members())) {
      if (performance.now() > end) {
        const logs = this.nodes.map(({ name, patroni }) => `${name}:\n${patroni?.output.slice(-1500) ?? ''}`);
        throw new Error(`Waited in vain for ${what}.\n${logs.join('\n')}`);
      }
      await sleep(200);
    }
  }

  /** As the first node that answers sees them. */
  private async members(): Promise<Member[]> {
    for (const { apiPort, patroni } of this.nodes) {
      if (patroni === undefined) continue;
      const answer = await fetch(`http://127.0.0.1:${apiPort}/cluster`).catch(() => undefined);
      if (answer?.ok === true) return ((await answer.json()) as { members?: Member[] }).members ?? [];
    }
    return [];
  }
}

/** The server of a data directory, where it runs: a lost one leaves its file, and its number to others. */
function postmasterOf(data: string): number | undefined {
  const file = join(data, 'postmaster.pid');
  if (!existsSync(file)) return undefined;
  const pid = readFileSync(file, 'utf8').split('\n')[0] ?? '';
  const command = `/proc/${pid}/cmdline`;
  return existsSync(command) && readFileSync(command, 'utf8').includes(data) ? Number(pid) : undefined;
}
