import { spawn } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { freePort } from './freePort.js';
import type { Environment } from '../../src/config.js';
import { Running } from './Running.js';
import { testEnvironment } from './TestService.js';

/**
 * The service as a process of its own, over a database that others may use too: to be killed, or to have its
 * output read.
 */
export class ChildService {
  private constructor(
    readonly url: string,
    readonly running: Running,
  ) {}

  /**
   * @param env may name a `PORT`; else a free one is taken
   * @param variant a loader of modules that changes the service's code, from `dist/test/`
   */
  static async start(databaseUrl: string, env: Environment = {}, variant?: string): Promise<ChildService> {
    const child = await ChildService.begin([...loading(variant), 'dist/src/main.js'], databaseUrl, env);
    await child.running.until(env['ROLE'] === 'worker' ? 'Working the queues' : 'is ready at');
    return child;
  }

  /** Any program of the service, which is not waited for. */
  static async begin(
    program: readonly string[],
    databaseUrl: string,
    env: Environment = {},
  ): Promise<ChildService> {
    const port = Number(env['PORT'] ?? (await freePort()));
    const { PATH, HOME } = process.env;
    const child = spawn(process.execPath, program, {
      env: { PATH, HOME, ...testEnvironment(port, databaseUrl, env) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return new ChildService(`http://127.0.0.1:${port}`, new Running(child));
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
