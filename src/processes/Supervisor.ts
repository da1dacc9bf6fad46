import cluster from 'node:cluster';
import type { Worker } from 'node:cluster';
import type { Config } from '../config.js';
import type { FromMember, ToMember } from './MemberMetrics.js';
import { Questions } from './Questions.js';
import { Restarts } from './Restarts.js';

/** What a member tells once it serves. */
export interface Ready {
  kind: 'ready';
  /** The text of a start, to be shown once for all. */
  welcome: string;
}

/** Metrics pass through: what they are is not known here. */
type Message = Ready | FromMember<unknown>;

interface Post {
  env: Record<string, string>;
  restarts: Restarts;
}

/** Somewhat longer than a member takes to finish what is in flight, once it has drained. */
const STOP_MS = 15_000;
/** A member that is busy for longer is left out of the metrics. */
const METRICS_MS = 3000;

/**
 * Keeps `WORKERS` gateways on one port and, in the role `all`, one worker beside them, each a process of its
 * own. Members share nothing but the database; one that dies is replaced, after a pause that doubles while it
 * keeps dying.
 */
export class Supervisor {
  private readonly posts: Post[];
  private readonly members = new Map<number, Worker>();
  /** Of members, those that serve. */
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
      member.on('message', (message: Message) => {
        if (message.kind === 'ready') resolve(message.welcome);
      });
      member.once('exit', () => reject(new Error('A process of the service could not start.')));
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
    member.once('exit', (code, signal) => {
      this.members.delete(member.id);
      this.ready.delete(member);
      if (this.stopping) return;
      this.warn(`A ${post.env['ROLE'] ?? ''} process ended (${signal ?? code}); another takes its place.`);
      this.replaceLater(post);
    });
    return member;
  }

  /** Asks all other members for their metrics and tells the one that wants them. */
  private async tellOthers(asker: Worker, id: number): Promise<void> {
    const others = [...this.ready].filter((member) => member !== asker);
    const answers = await Promise.all(
      others.map((other) => this.questions.ask((question) => tell(other, { kind: 'asked', id: question }))),
    );
    tell(asker, { kind: 'others', id, metrics: answers.filter((answer) => answer !== undefined) });
  }

  private replaceLater(post: Post): void {
    const pause = setTimeout(() => {
      this.pauses.delete(pause);
      if (!this.stopping)
        this.fork(post).on('message', ({ kind }: Message) => {
          if (kind === 'ready') this.warn(`The ${post.env['ROLE'] ?? ''} process was replaced.`);
        });
    }, post.restarts.pauseMs());
    this.pauses.add(pause);
  }
}

/** A member that has ended meanwhile hears nothing. */
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
