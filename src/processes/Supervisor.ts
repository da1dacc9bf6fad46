import cluster from 'node:cluster';
import type { Worker } from 'node:cluster';
import { RateLimiterClusterMaster } from 'rate-limiter-flexible';
import type { Config } from '../config.js';
import type { FromMember, ToMember } from './MemberMetrics.js';
import { METRICS_MS, Questions } from './Questions.js';
import { Restarts } from './Restarts.js';

/** The message of a member that serves. */
export interface Ready {
  kind: 'ready';
  /** The start text, printed once for all members. */
  welcome: string;
}

/** Metrics are passed on without knowledge of their type. */
type Message = Ready | FromMember<unknown>;

interface Post {
  env: Record<string, string>;
  restarts: Restarts;
}

/** In milliseconds; somewhat longer than a member takes to stop after draining, when its database hangs. */
const STOP_MS = 20_000;

/**
 * Runs `WORKERS` gateways on one port and, in the role `all`, one worker, each in its own process. Members
 * share only the database. A member that ends is replaced after a pause, which doubles while it keeps ending.
 */
export class Supervisor {
  private readonly posts: Post[];
  private readonly members = new Map<number, Worker>();
  /** Members that serve. */
  private readonly ready = new Set<Worker>();
  private readonly questions = new Questions<unknown>(METRICS_MS);
  private readonly stopMs: number;
  private stopping = false;
  private readonly pauses = new Set<NodeJS.Timeout>();

  constructor(
    { workers, role, drainMs }: Pick<Config, 'workers' | 'role' | 'drainMs'>,
    private readonly warn: (message: string) => void,
  ) {
    this.stopMs = drainMs + STOP_MS;
    const gateways = Array.from({ length: workers }, (): Post => ({
      env: { ROLE: 'gateway' },
      restarts: new Restarts(),
    }));
    const worker: Post = {
      env: { ROLE: 'worker', PORT: '0', OPERATIONS_PORT: '' },
      restarts: new Restarts(),
    };
    // Answers the gateways' `CommonCount`s.
    void new RateLimiterClusterMaster();
    this.posts = role === 'all' ? [...gateways, worker] : gateways;
  }

  /**
   * Starts every member.
   *
   * @returns the start text of the first gateway, empty when stopped meanwhile; rejects when a member cannot
   *   start
   */
  async start(): Promise<string> {
    const [first, ...others] = this.posts;
    if (first === undefined) return '';
    // The first prepares the database for the others.
    const welcome = await this.firstStart(first);
    // A signal may have come meanwhile: who is started now would be stopped by nobody.
    if (this.stopping) return welcome;
    await Promise.all(others.map((post) => this.firstStart(post)));
    return welcome;
  }

  /** Stops all members and waits until they have ended. */
  async stop(): Promise<void> {
    this.stopping = true;
    for (const pause of this.pauses) clearTimeout(pause);
    await Promise.all([...this.members.values()].map((member) => ended(member, this.stopMs)));
  }

  private firstStart(post: Post): Promise<string> {
    const member = this.fork(post);
    return new Promise((resolve, reject) => {
      member.on('message', (message: Message) => {
        if (message.kind === 'ready') resolve(message.welcome);
      });
      member.once('exit', () => {
        if (this.stopping) resolve('');
        else reject(new Error('A process of the service could not start.'));
      });
    });
  }

  private fork(post: Post): Worker {
    const member = cluster.fork(post.env);
    post.restarts.started();
    this.members.set(member.id, member);
    member.on('message', (message: Message) => {
      if (message.kind === 'ready') this.ready.add(member);
      if (message.kind === 'wanted') void this.tellOthers(member, message.id);
      if (message.kind === 'told') this.questions.answer(message.id, message.metrics);
    });
    // An answer to a member that has just ended.
    member.on('error', () => undefined);
    member.once('exit', (code, signal) => {
      this.members.delete(member.id);
      this.ready.delete(member);
      if (this.stopping) return;
      this.warn(`A ${post.env['ROLE'] ?? ''} process ended (${signal ?? code}); another takes its place.`);
      this.replaceLater(post);
    });
    return member;
  }

  /** Collects the metrics of all other members for the one that asked. */
  private async tellOthers(asker: Worker, id: number): Promise<void> {
    const others = [...this.ready].filter((member) => member !== asker);
    const answers = await Promise.all(
      others.map((other) => this.questions.ask((question) => tell(other, { kind: 'asked', id: question }))),
    );
    tell(asker, { kind: 'others', id, metrics: answers.filter((answer) => answer !== undefined) });
  }

  /**
   * During an upgrade `npm run migrate` of the newer version has run already. The replacement then takes that
   * database, as the other members do, and whoever is started by hand still refuses it.
   */
  private replaceLater({ env, restarts }: Post): void {
    const post: Post = { env: { ...env, NEWER_SCHEMA: 'allow' }, restarts };
    const pause = setTimeout(() => {
      this.pauses.delete(pause);
      if (!this.stopping)
        this.fork(post).on('message', ({ kind }: Message) => {
          if (kind === 'ready') this.warn(`The ${post.env['ROLE'] ?? ''} process was replaced.`);
        });
    }, restarts.pauseMs());
    this.pauses.add(pause);
  }
}

/** Sends nothing to a member that has ended. */
function tell(member: Worker, message: ToMember<unknown>): void {
  if (member.isConnected()) member.send(message, () => undefined);
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
