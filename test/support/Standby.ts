import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { SERVER_ENVIRONMENT } from '../../src/database/embedded/runAsServer.js';
import { execute } from './execute.js';
import { killTree } from './killTree.js';
import type { Relay } from './Relay.js';

const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'max_connections=300',
  'fsync=off',
  'log_min_messages=fatal',
  'wal_retrieve_retry_interval=200ms',
];

export interface StandbyPlace {
  /** Its data directory, a copy of the primary's. */
  cluster: string;
  /** The server's program. */
  postgres: string;
  port: number;
  primaryUrl: string;
  /** The way of those who ask it. */
  front: Relay;
  /** The way of the primary's changes. */
  feed: Relay;
}

/** A streaming standby, and all that can befall it. */
export class Standby {
  /** Through the relay in front of it. */
  readonly url: string;
  /** Past every relay. */
  readonly ownUrl: string;
  readonly front: Relay;
  readonly feed: Relay;
  private readonly place: StandbyPlace;
  private child: ChildProcess | undefined;

  constructor(place: StandbyPlace) {
    this.place = place;
    this.front = place.front;
    this.feed = place.feed;
    this.url = withPort(place.primaryUrl, place.front.port);
    this.ownUrl = withPort(place.primaryUrl, place.port);
  }

  /** Starts the server; it answers then, with whatever state it has. */
  async launch(): Promise<void> {
    const { cluster, postgres, port } = this.place;
    const { uid, gid } = statSync(cluster);
    const account = process.getuid?.() === 0 ? { uid, gid } : {};
    rmSync(`${cluster}/postmaster.pid`, { force: true });
    const args = ['-D', cluster, '-p', String(port), ...SETTINGS.flatMap((setting) => ['-c', setting])];
    const child = spawn(postgres, args, { ...account, cwd: '/', env: SERVER_ENVIRONMENT, stdio: 'ignore' });
    this.child = child;
    while (!(await this.answers())) {
      if (hasEnded(child)) throw new Error(`The standby ended with ${child.exitCode} instead of starting.`);
      await sleep(30);
    }
  }

  /** Stops replay: the standby answers, with an ever older state. */
  async pauseReplay(): Promise<void> {
    await this.ask('SELECT pg_wal_replay_pause()');
  }

  async resumeReplay(): Promise<void> {
    await this.ask('SELECT pg_wal_replay_resume()');
  }

  /** Waits until it has replayed what the primary has now. */
  async caughtUp(): Promise<void> {
    const [now] = await execute<{ lsn: string }>(
      this.place.primaryUrl,
      'SELECT pg_current_wal_flush_lsn()::text AS lsn',
    );
    const statement = `SELECT pg_last_wal_replay_lsn() >= '${now?.lsn ?? ''}'::pg_lsn AS done`;
    while (!(await this.ask<{ done: boolean }>(statement))[0]?.done) await sleep(20);
  }

  /** Freezes or thaws every process of the standby. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    killTree(this.child?.pid, signal);
  }

  /** Ends every process of it at once. */
  async kill(): Promise<void> {
    await this.ended(() => killTree(this.child?.pid));
  }

  /** Asks it to end in good order, as an operator would. */
  async shutDown(): Promise<void> {
    await this.ended(() => this.child?.kill('SIGINT'));
  }

  /** Ends the server, whatever state it is in, and its relays. */
  async stop(): Promise<void> {
    await this.kill();
    await Promise.all([this.front.stop(), this.feed.stop()]);
  }

  private async ended(end: () => void): Promise<void> {
    const { child } = this;
    if (child === undefined || hasEnded(child)) return;
    const exit = once(child, 'exit');
    end();
    await exit;
  }

  private async answers(): Promise<boolean> {
    try {
      await execute(this.ownUrl, 'SELECT 1', 1000);
      return true;
    } catch {
      return false;
    }
  }

  private ask<T>(statement: string): Promise<T[]> {
    return execute(this.ownUrl, statement);
  }
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

function withPort(url: string, port: number): string {
  const changed = new URL(url);
  changed.port = String(port);
  return changed.toString();
}
