import { ChildService } from '../../support/ChildService.js';

/** Processes of the service, with all that they logged. */
export class Gateways {
  private readonly started: ChildService[] = [];

  async start(databaseUrl: string, role: 'all' | 'gateway'): Promise<ChildService> {
    const settings = { ROLE: role, POOL_SIZE: '12', LOG_LEVEL: 'warn' };
    const gateway = await ChildService.start(databaseUrl, settings);
    this.started.push(gateway);
    return gateway;
  }

  /** Serves while the work is done, and ends in good order. */
  async serving(databaseUrl: string, work: (gateway: ChildService) => Promise<void>): Promise<void> {
    const gateway = await this.start(databaseUrl, 'all');
    await work(gateway);
    await this.end(gateway);
  }

  async end(gateway: ChildService): Promise<void> {
    await gateway.running.end('SIGTERM');
    this.started.splice(this.started.indexOf(gateway), 1);
  }

  /** What they logged that has a text, such as a request's id. */
  linesWith(text: string): string[] {
    return this.started.flatMap(({ running }) =>
      running.output.split('\n').filter((line) => line.includes(text)),
    );
  }

  /** Ends all that still run. @returns the last lines of those that had ended by themselves */
  async stop(): Promise<string[]> {
    const ended: string[] = [];
    for (const { running } of this.started.splice(0)) {
      if (running.child.exitCode !== null) ended.push(running.output.slice(-2000));
      await running.end('SIGKILL');
    }
    return ended;
  }
}
