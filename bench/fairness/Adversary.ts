import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { cpuOfTree } from '../speed/cpuOfTree.js';
import type { Tenant } from './Tenant.js';

/** The first message to `beAdversary.js`. */
export interface AdversaryGiven {
  port: number;
  token: string;
  /** Customers of the app, with a hundred facts each. */
  ids: readonly string[];
  /** Names of those that it has; absent: all. */
  habits: readonly string[] | undefined;
}

/** An app that loads the service within its limits. It has its own process, apart from the service's. */
export class Adversary {
  private constructor(private readonly child: ChildProcess) {}

  static async start(
    { port, token }: Tenant,
    ids: readonly string[],
    habits: readonly string[] | undefined,
  ): Promise<Adversary> {
    const child = fork(fileURLToPath(new URL('beAdversary.js', import.meta.url)), {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const given: AdversaryGiven = { port, token, ids, habits };
    child.send(given);
    await once(child, 'message');
    return new Adversary(child);
  }

  /** @returns how often each habit was answered which status */
  async run(seconds: number): Promise<string[]> {
    this.child.send(seconds);
    const [answers] = (await once(this.child, 'message')) as [string[]];
    return answers;
  }

  /** Processor time used so far, in milliseconds. */
  cpuMs(): number {
    return cpuOfTree(this.child.pid ?? 0);
  }

  async stop(): Promise<void> {
    const ended = once(this.child, 'exit');
    this.child.kill();
    await ended;
  }
}
