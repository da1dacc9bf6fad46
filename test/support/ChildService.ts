import { spawn } from 'node:child_process';
import { freePort } from '../../src/database/embedded/freePort.js';
import type { Environment } from '../../src/config.js';
import { Running } from './Running.js';
import { testEnvironment } from './TestService.js';

/** The service as a process of its own, over a database that others may use too: to be killed, or to have its output read. */
export class ChildService {
  readonly url: string;
  readonly running: Running;

  private constructor(url: string, running: Running) {
    this.url = url;
    this.running = running;
  }

  static async start(databaseUrl: string, env: Environment = {}): Promise<ChildService> {
    const port = await freePort();
    const { PATH, HOME } = process.env;
    const running = new Running(
      spawn(process.execPath, ['dist/src/main.js'], {
        env: { PATH, HOME, ...testEnvironment(port, databaseUrl, env) },
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    );
    await running.until('is ready at');
    return new ChildService(`http://127.0.0.1:${port}`, running);
  }

  async kill(): Promise<void> {
    await this.running.end('SIGKILL');
  }
}
