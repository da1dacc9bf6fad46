import type pg from 'pg';
import type { Logger } from 'pino';
import type { Database } from './Database.js';

const RETRY_MS = 1000;
/** A connection that died silently is detected within two heartbeats. */
const HEARTBEAT_MS = 2000;

/** Receives the payload of a notice; undefined when notices may have been lost. */
export type NoticeHandler = (payload: string | undefined) => void;

export interface NoticesParts {
  database: Database;
  log: Logger;
  clock: () => Date;
}

/**
 * Receives the notices of transactions on every node over one dedicated connection (LISTEN). A lost notice
 * only causes a delay: each handler learns that some may be missing, and reads for itself.
 */
export class Notices {
  private readonly database: Database;
  private readonly log: Logger;
  private readonly handlers = new Map<string, NoticeHandler[]>();
  private client: pg.Client | undefined;
  private timer: NodeJS.Timeout | undefined;
  private closed = false;
  private hearing = false;
  private readonly clock: () => Date;
  private provedAt: Date;

  constructor({ database, log, clock }: NoticesParts) {
    this.database = database;
    this.log = log;
    this.clock = clock;
    this.provedAt = clock();
  }

  /** Whether notices arrive now. */
  get heard(): boolean {
    return this.hearing;
  }

  /** Up to when all notices are known to have arrived. At a loss, handlers find the time before it. */
  get heardUntil(): Date {
    return this.provedAt;
  }

  /** Listens to a channel from the next connection on; call it before `start`. The name is an identifier. */
  on(channel: string, handler: NoticeHandler): void {
    this.handlers.set(channel, [...(this.handlers.get(channel) ?? []), handler]);
  }

  async start(): Promise<void> {
    const client = this.database.newClient('consent-notices');
    this.client = client;
    client.on('error', (error) => this.lost(client, error));
    client.on('end', () => this.lost(client));
    client.on('notification', ({ channel, payload }) => this.tell(channel, payload));
    try {
      await client.connect();
      for (const channel of this.handlers.keys()) await client.query(`LISTEN ${channel}`);
      if (this.closed) return;
      this.hearing = true;
      this.tellAll();
      this.provedAt = this.clock();
      this.schedule(() => this.checkAlive(client), HEARTBEAT_MS);
    } catch (error) {
      this.lost(client, error as Error);
    }
  }

  async close(): Promise<void> {
    this.closed = true;
    this.hearing = false;
    clearTimeout(this.timer);
    await this.client?.end().catch(() => undefined);
  }

  private tell(channel: string, payload: string | undefined): void {
    for (const handler of this.handlers.get(channel) ?? []) handler(payload);
  }

  private tellAll(): void {
    for (const channel of this.handlers.keys()) this.tell(channel, undefined);
  }

  private async checkAlive(client: pg.Client): Promise<void> {
    const overdue = setTimeout(
      () => this.lost(client, new Error('no answer to the heartbeat')),
      HEARTBEAT_MS,
    );
    const asked = this.clock();
    try {
      await client.query('SELECT 1');
      if (client !== this.client) return;
      this.provedAt = asked;
      this.schedule(() => this.checkAlive(client), HEARTBEAT_MS);
    } catch (error) {
      this.lost(client, error as Error);
    } finally {
      clearTimeout(overdue);
    }
  }

  private lost(client: pg.Client, error?: Error): void {
    if (client !== this.client || this.closed) return;
    this.client = undefined;
    this.hearing = false;
    this.tellAll();
    this.log.warn(
      { reason: error?.message },
      'Notices are not heard for the moment; what they tell of is re-read',
    );
    void client.end().catch(() => undefined);
    this.schedule(() => this.start(), RETRY_MS);
  }

  private schedule(task: () => Promise<void>, delayMs: number): void {
    clearTimeout(this.timer);
    if (this.closed) return;
    this.timer = setTimeout(() => void task(), delayMs);
    this.timer.unref();
  }
}
