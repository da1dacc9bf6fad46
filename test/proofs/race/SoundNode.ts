import { ChildService } from '../../support/ChildService.js';
import type { Running } from '../../support/Running.js';
import type { FaultyProcess } from './Faults.js';

/** A process of the sound service, and the one that replaces it when it was killed. */
export class SoundNode implements FaultyProcess {
  readonly url: string;
  private readonly databaseUrl: string;
  private service: ChildService;

  private constructor(databaseUrl: string, service: ChildService) {
    this.databaseUrl = databaseUrl;
    this.service = service;
    this.url = service.url;
  }

  static async start(databaseUrl: string): Promise<SoundNode> {
    return new SoundNode(databaseUrl, await ChildService.start(databaseUrl));
  }

  get running(): Running {
    return this.service.running;
  }

  signal(name: NodeJS.Signals): void {
    this.running.child.kill(name);
  }

  async replace(): Promise<void> {
    await this.service.kill();
    const env = { PORT: new URL(this.url).port, BASE_URL: this.url };
    this.service = await ChildService.start(this.databaseUrl, env);
  }
}
