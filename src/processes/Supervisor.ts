import cluster from 'node:cluster';
import type { Worker } from 'node:cluster';
import type { Config } from '../config.js';
import { backOff } from '../domain/backOff.js';

/** What a member tells once it serves. */
export interface Ready {
  /** The text of a start, to be shown once for all. */
  welcome: string;
}

interface Post {
  env: Record<string, string>;
  /** Starts in a row that ended soon after. */
  failures: number;
}

const STABLE_MS = 10_000;
const MIN_PAUSE_MS = 100;
const MAX_PAUSE_MS = 30_000;
/** Somewhat longer than a member takes to finish what is in flight, once it has drained. */
const STOP_MS = 15_000;

/**
 * Keeps `WORKERS` gateways on one port and, in the role `all`, one worker beside them, each a process of its
 * own. Members share nothing but the database; one that dies is replaced, after a pause that doubles while it
 * keeps dying.
 */
export class Supervisor {
  private readonly posts: Post[];
  private readonly members = new Map<number, Worker>();
  private readonly stopMs: number;
  private stopping = false;
  private readonly pauses = new Set<NodeJS.Timeout>();

  constructor(
    { workers, role, drainMs }: Pick<Config, 'workers' | 'role' | 'drainMs'>,
    private readonly warn: (message: string) => void,
  ) {
    this.stopMs = drainMs + STOP_MS;
    const gateways = Array.from({ length: workers }, (): Post => ({ env: { ROLE: 'gateway' }, failures: 0 }));
    const worker: Post = { env: { ROLE: 'worker', PORT: '0', OPERATIONS_PORT: '' }, failures: 0 };
    this.posts = role === 'all' ? [...gateways, worker] : gateways;
  }

  /**
   * Starts every member. @returns what the first gateway says of the start; rejects when a member cannot
   * start at all
   */
  async start(): Promise<string> {
    const [first, ...others] = this.posts;
    if (first === undefined) return '';
    // The first brings the database up; the others find it there.
    const welcome = await this.firstStart(first);
    await Promise.all(others.map((post) => this.firstStart(post)));
    return welcome;
  }

  /** Asks every member to finish and waits until all are gone. */
  async stop(): Promise<void> {
    this.stopping = true;
    for (const pause of this.pauses) clearTimeout(pause);
    await Promise.all([...this.members.values()].map((member) => ended(member, this.stopMs)));
  }

  private firstStart(post: Post): Promise<string> {
    const member = this.fork(post);
    return new Promise((resolve, reject) => {
      member.once('message', ({ welcome }: Ready) => resolve(welcome));
      member.once('exit', () => reject(new Error('A process of the service could not start.')));
    });
  }

  private fork(post: Post): Worker {
    const member = cluster.fork(post.env);
    const startedAt = performance.now();
    this.members.set(member.id, member);
    member.once('exit', (code, signal) => {
      this.members.delete(member.id);
      if (this.stopping) return;
      post.failures = performance.now() - startedAt > STABLE_MS ? 0 : post.failures + 1;
      this.warn(`A ${post.env['ROLE'] ?? ''} process ended (${signal ?? code}); another takes its place.`);
      this.replaceLater(post);
    });
    return member;
  }

  private replaceLater(post: Post): void {
    const wait = backOff(post.failures, MIN_PAUSE_MS, MAX_PAUSE_MS);
    const pause = setTimeout(() => {
      this.pauses.delete(pause);
      if (!this.stopping)
        this.fork(post).once('message', () =>
          this.warn(`The ${post.env['ROLE'] ?? ''} process was replaced.`),
        );
    }, wait);
    this.pauses.add(pause);
  }
}

function ended(member: Worker, stopMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => member.process.kill('SIGKILL'), stopMs);
    member.once('exit', () => {
      clearTimeout(timer);
      resolve();
    });
    member.process.kill('SIGTERM');
  });
}
