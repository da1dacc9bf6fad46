import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** A command under way, with all that it prints. */
export class Running {
  output = '';
  readonly child: ChildProcess;
  private readonly closed: Promise<unknown>;

  constructor(child: ChildProcess) {
    this.child = child;
    this.closed = once(child, 'close');
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (text: Buffer) => (this.output += text.toString()));
  }

  async until(text: string): Promise<void> {
    while (!this.output.includes(text)) {
      if (this.child.exitCode !== null) throw new Error(`It ended without "${text}":\n${this.output}`);
      await new Promise((wake) => setTimeout(wake, 20));
    }
  }

  /** The exit code, once it has ended. */
  async end(signal?: NodeJS.Signals): Promise<number | null> {
    if (signal !== undefined) this.child.kill(signal);
    await this.closed;
    return this.child.exitCode;
  }
}
