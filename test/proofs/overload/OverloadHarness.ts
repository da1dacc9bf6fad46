import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPostmaster } from '../../../src/database/embedded/postmaster.js';
import { startEmbeddedPostgres } from '../../../src/database/embedded/startEmbeddedPostgres.js';
import type { EmbeddedPostgres } from '../../../src/database/embedded/startEmbeddedPostgres.js';
import { ChildService } from '../../support/ChildService.js';
import type { TestPartner } from '../../support/TestPartner.js';
import { registerApp } from '../../support/registerApp.js';

const KILOBYTES_PER_MEGABYTE = 1024;

/** A PostgreSQL that can be killed, and the service as a process whose memory can be told. */
export class OverloadHarness {
  private readonly room: string;
  private readonly postgres: EmbeddedPostgres;
  private service: ChildService | undefined;

  private constructor(room: string, postgres: EmbeddedPostgres) {
    this.room = room;
    this.postgres = postgres;
  }

  static async open(): Promise<OverloadHarness> {
    const room = mkdtempSync(join(realpathSync(tmpdir()), 'overload-'));
    const log = { info: () => undefined, warn: () => undefined };
    const options = { dataDir: room, log, fsync: false, systemRoom: join(room, 'system') };
    return new OverloadHarness(room, await startEmbeddedPostgres(options));
  }

  /** Starts the service anew; with a variant, as a broken one. */
  async start(rateLimits: string, variant?: string): Promise<void> {
    await this.service?.kill();
    this.service = await ChildService.start(this.postgres.url, { RATE_LIMITS: rateLimits }, variant);
  }

  get url(): string {
    return this.running.url;
  }

  /** A new app of the service, with a token of all that it may. */
  makeApp(): Promise<TestPartner> {
    return registerApp(this.url);
  }

  /** Ends PostgreSQL like a machine that loses its power; it is started again by who watches it. */
  killDatabase(): void {
    const cluster = realpathSync(join(this.room, 'postgres', 'cluster'));
    process.kill(findPostmaster(cluster)?.pid ?? Number.NaN, 'SIGKILL');
  }

  /** Begins to measure: the memory of the service now, in megabytes. */
  resetPeak(): number {
    writeFileSync(`/proc/${this.running.running.child.pid}/clear_refs`, '5');
    return this.memory('VmRSS');
  }

  /** The most memory that the service had since then, in megabytes. */
  peak(): number {
    return this.memory('VmHWM');
  }

  async close(): Promise<void> {
    await this.service?.kill();
    await this.postgres.stop();
    rmSync(this.room, { recursive: true, force: true });
  }

  private get running(): ChildService {
    if (this.service === undefined) throw new Error('The service was not started.');
    return this.service;
  }

  private memory(field: 'VmRSS' | 'VmHWM'): number {
    const status = readFileSync(`/proc/${this.running.running.child.pid}/status`, 'utf8');
    const kilobytes = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1];
    return Math.round(Number(kilobytes) / KILOBYTES_PER_MEGABYTE);
  }
}
