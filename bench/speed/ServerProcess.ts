import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

interface Told {
  port?: number;
  cpuMs?: number;
  memoryMb?: number;
}

/** A server in a process of its own, which tells over IPC where it listens and what it has used. */
export class ServerProcess {
  readonly name: string;
  readonly port: number;
  private readonly child: ChildProcess;

  private constructor(name: string, child: ChildProcess, port: number) {
    this.name = name;
    this.child = child;
    this.port = port;
  }

  static async start(name: string, file: string, env: NodeJS.ProcessEnv, args: string[] = []): Promise<ServerProcess> {
    const child = fork(file, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    const { port } = await heard(child, name);
    if (port === undefined) throw new Error(`${name} told no port.`);
    return new ServerProcess(name, child, port);
  }

  /** Processor time used so far, in milliseconds of all threads, and resident memory. */
  async usage(): Promise<{ cpuMs: number; memoryMb: number }> {
    const answer = heard(this.child, this.name);
    this.child.send('usage');
    const { cpuMs = 0, memoryMb = 0 } = await answer;
    return { cpuMs, memoryMb };
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    const timer = setTimeout(() => this.child.kill('SIGKILL'), 3000);
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
