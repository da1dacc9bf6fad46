import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { cpuOfTree } from './cpuOfTree.js';

interface Told {
  port?: number;
  cpuMs?: number;
  memoryMb?: number;
  heapMb?: number;
  loop?: LoopDelay;
}

/** How long the event loop was blocked at a time, in milliseconds, since the last question. */
export interface LoopDelay {
  p999: number;
  max: number;
}

/** Somewhat longer than the service takes to finish what is in flight. */
const STOP_MS = 12_000;

/** The flags of Node and the settings of glibc with which `npm start` runs. Peers get the same. */
const { nodeFlags, keptMemory } = (
  JSON.parse(readFileSync('package.json', 'utf8')) as { config: { nodeFlags: string; keptMemory: string } }
).config;
const NODE_FLAGS = nodeFlags.split(' ');
const KEPT_MEMORY = Object.fromEntries(keptMemory.split(' ').map((setting) => setting.split('=')));

/** A server in its own process. It reports its port and its use of resources over IPC. */
export class ServerProcess {
  readonly name: string;
  readonly port: number;
  private readonly child: ChildProcess;

  private constructor(name: string, child: ChildProcess, port: number) {
    this.name = name;
    this.child = child;
    this.port = port;
  }

  static async start(
    name: string,
    file: string,
    env: NodeJS.ProcessEnv,
    args: string[] = [],
    preload: string[] = [],
  ): Promise<ServerProcess> {
    const child = fork(file, args, {
      env: { ...process.env, ...KEPT_MEMORY, ...env },
      execArgv: ['--expose-gc', ...NODE_FLAGS, ...preload.flatMap((module) => ['--import', module])],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const { port = Number(env['PORT']) } = await heard(child, name);
    return new ServerProcess(name, child, port);
  }

  /** Processor time of all threads so far, in milliseconds. */
  async cpuMs(): Promise<number> {
    const { cpuMs = Number.NaN } = await this.ask('usage');
    return cpuMs;
  }

  /** Resident memory, and the heap that is in use after a garbage collection. */
  async memory(): Promise<{ residentMb: number; heapMb: number }> {
    const { memoryMb = Number.NaN, heapMb = Number.NaN } = await this.ask('memory');
    return { residentMb: memoryMb, heapMb };
  }

  /** The delay of the serving thread's event loop since the last question. */
  async loopDelay(): Promise<LoopDelay> {
    const { loop = { p999: Number.NaN, max: Number.NaN } } = await this.ask('usage');
    return loop;
  }

  /** Processor time of the process and its children, for servers that answer no questions. */
  treeCpuMs(): number {
    return cpuOfTree(this.child.pid ?? 0);
  }

  /** The answer of a server that has only one. */
  async told<Answer>(): Promise<Answer> {
    return (await this.ask('usage')) as unknown as Answer;
  }

  private async ask(question: 'usage' | 'memory'): Promise<Told> {
    const answer = heard(this.child, this.name);
    this.child.send(question);
    return answer;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    const timer = setTimeout(() => this.child.kill('SIGKILL'), STOP_MS);
    await ended;
    clearTimeout(timer);
  }
}

async function heard(child: ChildProcess, name: string): Promise<Told> {
  const done = new AbortController();
  const { signal } = done;
  const ended = once(child, 'exit', { signal }).then(([code]) => {
    throw new Error(`${name} ended with ${String(code)}.`);
  });
  try {
    const [message] = (await Promise.race([once(child, 'message', { signal }), ended])) as [Told];
    return message;
  } finally {
    ended.catch(() => undefined);
    done.abort();
  }
}
