import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('./ingestNode.js', import.meta.url));

/** A process that is begun again whenever it was killed. */
class Phoenix {
  child: ChildProcess;
  private readonly args: string[];
  private told = false;
  /** Whether the process of now is at work: killing one that still loads proves nothing. */
  private atWork = false;
  private readonly ended: Promise<void>;

  constructor(args: string[]) {
    this.args = args;
    this.child = this.begin();
    this.ended = this.live();
  }

  private begin(): ChildProcess {
    this.atWork = false;
    const child = fork(PROGRAM, this.args, { stdio: 'ignore' });
    child.once('message', () => (this.atWork = true));
    return child;
  }

  private async live(): Promise<void> {
    for (;;) {
      const [, signal] = (await once(this.child, 'exit')) as [number | null, NodeJS.Signals | null];
      if (this.told || signal !== 'SIGKILL') return;
      this.child = this.begin();
    }
  }

  /** kill -9 at a random moment of its work; whether there was anything to kill. */
  async kill(): Promise<boolean> {
    const { child } = this;
    const lives = (): boolean => child.exitCode === null && child.signalCode === null;
    while (lives() && !(this.atWork && child === this.child)) await sleep(10);
    await sleep(Math.random() * 200);
    return lives() && child.kill('SIGKILL');
  }

  /** Waits until it has ended by itself. */
  finished(): Promise<void> {
    return this.ended;
  }

  /** Tells it to end, for good. */
  async end(): Promise<void> {
    this.told = true;
    this.child.kill('SIGTERM');
    await this.ended;
  }

  /** Ends it at once, for good. */
  async destroy(): Promise<void> {
    this.told = true;
    this.child.kill('SIGKILL');
    await this.ended;
  }
}

/** Gateways and workers, each a process of its own. */
export class KillableFleet {
  readonly gateways: Phoenix[] = [];
  readonly workers: Phoenix[] = [];

  addGateway(...args: string[]): void {
    this.gateways.push(new Phoenix(['gateway', ...args]));
  }

  addWorker(role: 'worker' | 'careless', ...args: string[]): void {
    this.workers.push(new Phoenix([role, ...args]));
  }

  async destroy(): Promise<void> {
    await Promise.all([...this.gateways, ...this.workers].map((phoenix) => phoenix.destroy()));
  }
}
