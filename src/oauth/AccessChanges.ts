import pg from 'pg';
import type { OauthServices } from './OauthServices.js';

const CHANNEL = 'access_changed';
const RETRY_MS = 1000;
/** A connection that died without a word is found out within two of these. */
const HEARTBEAT_MS = 2000;

/**
 * Hears of revoked tokens and changed apps and members on a connection of its own (LISTEN). A notice that is lost does no
 * harm beyond its delay: nothing is remembered for longer than a few seconds.
 */
export class AccessChanges {
  private readonly url: string;
  private readonly log: OauthServices['log'];
  private readonly onChange: (change: string | undefined) => void;
  private client: pg.Client | undefined;
  private timer: NodeJS.Timeout | undefined;
  private closed = false;
  private hearing = false;

  /** @param onChange hears what changed; undefined when notices may have been missed */
  constructor(services: Pick<OauthServices, 'database' | 'log'>, onChange: (change: string | undefined) => void) {
    this.url = services.database.pool.options.connectionString ?? '';
    this.log = services.log;
    this.onChange = onChange;
  }

  /** Whether notices arrive now. */
  get heard(): boolean {
    return this.hearing;
  }

  async start(): Promise<void> {
    const client = new pg.Client({ connectionString: this.url, application_name: 'consent-access-changes' });
    this.client = client;
    client.on('error', (error) => this.lost(client, error));
    client.on('end', () => this.lost(client));
    client.on('notification', ({ payload }) => this.onChange(payload));
    try {
      await client.connect();
      await client.query(`LISTEN ${CHANNEL}`);
      if (this.closed) return;
      this.hearing = true;
      this.onChange(undefined);
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

  private async checkAlive(client: pg.Client): Promise<void> {
    const overdue = setTimeout(() => this.lost(client, new Error('no answer to the heartbeat')), HEARTBEAT_MS);
    try {
      await client.query('SELECT 1');
      if (client === this.client) this.schedule(() => this.checkAlive(client), HEARTBEAT_MS);
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
    this.onChange(undefined);
    this.log.warn(
      { reason: error?.message },
      'Access changes are not heard for the moment; tokens are re-read more often',
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
