import { Worker } from 'node:worker_threads';
import { atMost } from '../concurrency/atMost.js';
import { onEveryWork } from '../database/workSignal.js';
import { METRICS_MS, Questions } from './Questions.js';
import { Restarts } from './Restarts.js';

/** To the thread: queues that have work, a request for its metrics, or the request to stop. */
export type ToThread =
  { kind: 'signals'; queues: string[] } | { kind: 'metrics'; id: number } | { kind: 'stop' };

export type FromThread = { kind: 'metrics'; id: number; metrics: unknown } | { kind: 'stopped' };

interface Log {
  error: (facts: object, message: string) => void;
}

/** In milliseconds; somewhat longer than the thread takes to finish work in progress (`startJobs`). */
const STOP_MS = 9500;

/**
 * Runs background work in its own thread, so that it never blocks the event loop of requests. A thread that
 * ends is replaced after a pause, which doubles while it keeps ending. Its successor finds the unfinished
 * work again. The thread always ends with its process.
 */
export class WorkThread<Metrics> {
  private thread: Worker | undefined;
  private readonly restarts = new Restarts();
  private stopping = false;
  private pause: NodeJS.Timeout | undefined;
  private readonly signalled = new Set<string>();
  private readonly questions = new Questions<Metrics>(METRICS_MS);
  private readonly unsubscribe: () => void;

  /** @param given plain data, passed to the module `file` */
  constructor(
    private readonly file: URL,
    private readonly given: unknown,
    private readonly log: Log,
  ) {
    this.unsubscribe = onEveryWork((queue) => this.signal(queue));
    this.start();
  }

  /** Empty when the thread does not answer in time. */
  async metrics(): Promise<Metrics[]> {
    if (this.thread === undefined) return [];
    const told = await this.questions.ask((id) => this.tell({ kind: 'metrics', id }));
    return told === undefined ? [] : [told];
  }

  /** Stops the thread after the work in progress. */
  async stop(): Promise<void> {
    this.stopping = true;
    this.unsubscribe();
    clearTimeout(this.pause);
    const { thread } = this;
    if (thread === undefined) return;
    const stopped = new Promise<void>((resolve) => {
      thread.once('exit', () => resolve());
      thread.on('message', ({ kind }: FromThread) => {
        if (kind === 'stopped') resolve();
      });
    });
    this.tell({ kind: 'stop' });
    await atMost(STOP_MS, stopped);
    await thread.terminate();
  }

  private start(): void {
    const thread = new Worker(this.file, { workerData: this.given });
    this.restarts.started();
    this.thread = thread;
    thread.on('message', (message: FromThread) => {
      if (message.kind === 'metrics') this.questions.answer(message.id, message.metrics as Metrics);
    });
    let cause: unknown;
    thread.once('error', (error) => (cause = error));
    thread.once('exit', (code) => {
      this.thread = undefined;
      this.questions.giveUp();
      if (this.stopping) return;
      this.log.error(
        { err: cause, code },
        'the thread of the background work ended; another takes its place',
      );
      this.pause = setTimeout(() => this.start(), this.restarts.pauseMs());
    });
  }

  /** Sends all signals of one turn of the event loop together. */
  private signal(queue: string): void {
    if (this.signalled.size === 0)
      setImmediate(() => {
        this.tell({ kind: 'signals', queues: [...this.signalled] });
        this.signalled.clear();
      });
    this.signalled.add(queue);
  }

  private tell(message: ToThread): void {
    this.thread?.postMessage(message);
  }
}
