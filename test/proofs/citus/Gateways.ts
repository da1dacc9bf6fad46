import { spawn } from 'node:child_process';
import { freePort } from '../../../src/database/embedded/freePort.js';
import { Running } from '../../support/Running.js';
import { testEnvironment } from '../../support/TestService.js';

export interface Gateway {
  url: string;
  service: Running;
}

/** Processes of the service, with all that they logged. */
export class Gateways {
  private readonly started: Gateway[] = [];

  async start(databaseUrl: string, role: 'all' | 'gateway'): Promise<Gateway> {
    const port = await freePort();
    const { PATH, HOME } = process.env;
    const settings = { ROLE: role, POOL_SIZE: '12', LOG_LEVEL: 'warn' };
    const env = { PATH, HOME, ...testEnvironment(port, databaseUrl, settings) };
    const service = new Running(
      spawn(process.execPath, ['dist/src/main.js'], { env, stdio: ['ignore', 'pipe', 'pipe'] }),
    );
    const gateway = { url: `http://127.0.0.1:${port}`, service };
    this.started.push(gateway);
    await service.until('is ready at');
    return gateway;
  }

  /** Serves while the work is done, and ends in good order. */
  async serving(databaseUrl: string, work: (gateway: Gateway) => Promise<void>): Promise<void> {
    const gateway = await this.start(databaseUrl, 'all');
    await work(gateway);
    await this.end(gateway);
  }

  async end(gateway: Gateway): Promise<void> {
    await gateway.service.end('SIGTERM');
    this.started.splice(this.started.indexOf(gateway), 1);
  }

  /** What they logged that has a text, such as a request's id. */
  linesWith(text: string): string[] {
    return this.started.flatMap(({ service }) =>
      service.output.split('\n').filter((line) => line.includes(text)),
    );
  }

  /** Ends all that still run. @returns the last lines of those that had ended by themselves */
  async stop(): Promise<string[]> {
    const ended: string[] = [];
    for (const { service } of this.started.splice(0)) {
      if (service.child.exitCode !== null) ended.push(service.output.slice(-2000));
      await service.end('SIGKILL');
    }
    return ended;
  }
}
