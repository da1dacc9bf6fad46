import { spawn } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { freePort } from '../../src/database/embedded/freePort.js';
import type { Environment } from '../../src/config.js';
import { Running } from './Running.js';
import { testEnvironment } from './TestService.js';

/**
 * The service as a process of its own, over a database that others may use too: to be killed, or to have its
 * output read.
 */
export class ChildService {
  readonly url: string;
  readonly running: Running;

  private constructor(url: string, running: Running) {
    this.url = url;
    this.running = running;
  }

  /**
   * @param env may name a `PORT`; else a free one is taken
   * @param variant a loader of modules that changes the service's code, from `dist/test/`
   */
  static async start(databaseUrl: string, env: Environment = {}, variant?: string): Promise<ChildService> {
    const port = Number(env['PORT'] ?? (await freePort()));
    const { PATH, HOME } = process.env;
    const running = new Running(
      spawn(process.execPath, [...loading(variant), 'dist/src/main.js'], {
        env: { PATH, HOME, ...testEnvironment(port, databaseUrl, env) },
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    );
    await running.until(env['ROLE'] === 'worker' ? 'Working the queues' : 'is ready at');
    return new ChildService(`http://127.0.0.1:${port}`, running);
  }

  async kill(): Promise<void> {
    await this.running.end('SIGKILL');
  }
}

function loading(variant: string | undefined): string[] {
  if (variant === undefined) return [];
  const place = JSON.stringify(pathToFileURL(`dist/test/${variant}`).href);
  return ['--import', `data:text/javascript,import { register } from 'node:module'; register(${place});`];
}
