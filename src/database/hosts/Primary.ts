import type pg from 'pg';
import { askHost } from './askHost.js';
import type { PrimaryState } from './askHost.js';
import { choosePrimary } from './choosePrimary.js';
import { cutConnection } from './cutConnection.js';
import { primaryChanges } from './primaryChanges.js';

/** Interval between checks of all hosts while connections are open, in milliseconds. */
const LOOK_MS = 1000;
/** Pause after a check that found no primary, in milliseconds. */
const PAUSE_MS = 200;

/** No host takes writes, or none can be trusted. The code is that of a lost connection. */
export class NoPrimary extends Error {
  readonly code = '08006';

  constructor() {
    super('None of the hosts of the database is its primary.');
  }
}

/**
 * Finds the primary among several hosts. All are asked at once: before the first connection, after each
 * broken connection, and every second. Connections to other hosts are cut, so a former primary that still
 * runs or returns is neither read nor written.
 */
export class Primary {
  private readonly connections = new Map<pg.Client, string>();
  private current: string | undefined;
  private timeline = 0;
  private looking: Promise<string> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private isClosed = false;

  constructor(private readonly urls: readonly string[]) {}

  /** @throws NoPrimary */
  async find(): Promise<string> {
    return this.current ?? this.look();
  }

  /** Cuts the connection when another host becomes the primary. */
  hold(client: pg.Client, url: string): void {
    this.connections.set(client, url);
    client.once('end', () => this.connections.delete(client));
    client.on('error', () => this.forget(url));
    this.watch();
  }

  /** A connection to the host broke or failed: it may no longer be the primary. */
  forget(url: string): void {
    if (this.current === url) this.current = undefined;
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
  }

  private look(): Promise<string> {
    if (this.looking === undefined) {
      const look = this.askAll();
      this.looking = look;
      const clear = (): void => void (this.looking = undefined);
      look.then(clear).catch(() => setTimeout(clear, PAUSE_MS).unref());
    }
    return this.looking;
  }

  private async askAll(): Promise<string> {
    const answers = await Promise.allSettled(this.urls.map(askHost));
    const found = answers.flatMap((answer): PrimaryState[] =>
      answer.status === 'fulfilled' && answer.value !== undefined ? [answer.value] : [],
    );
    const [primary, rival] = choosePrimary(found, this.timeline);
    if (primary === undefined) throw new NoPrimary();
    if (this.timeline > 0 && primary.timeline > this.timeline) primaryChanges.inc();
    this.timeline = primary.timeline;
    // One of the two is wrong and must not be used, so neither is.
    this.cutAllBut(rival === undefined ? primary.url : undefined);
    if (rival !== undefined) throw new NoPrimary();
    return primary.url;
  }

  private cutAllBut(url: string | undefined): void {
    this.current = url;
    for (const [client, host] of this.connections) if (host !== url) cutConnection(client);
  }

  private watch(): void {
    if (this.timer !== undefined || this.isClosed) return;
    this.timer = setTimeout(() => {
      void this.look()
        .catch(() => undefined)
        .then(() => {
          this.timer = undefined;
          if (this.connections.size > 0) this.watch();
        });
    }, LOOK_MS);
    this.timer.unref();
  }
}
