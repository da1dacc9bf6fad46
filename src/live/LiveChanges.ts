import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Database } from '../database/Database.js';
import type { Notices } from '../database/Notices.js';
import { isGated, wakersOf } from './topic.js';
import type { Topic } from './topic.js';

/** A listener for changes of a topic. */
export interface Watcher {
  topic: Topic;
  /**
   * @param kind what changed: the topic, or consent to it
   * @param detail the id of the changed subject, when the topic covers many
   */
  wake: (kind: string, detail?: string) => void;
  /** Anything may have changed since then, as notices may have been lost. */
  lookSince: (time: Date) => void;
  /** Tokens, apps or members changed: the caller may have lost its rights. */
  recheck: () => void;
}

export interface LiveChangesParts {
  database: Database;
  notices: Notices;
  log: Logger;
  clock: () => Date;
  /** The interval of checking the tokens of idle subscriptions, in milliseconds. */
  recheckMs: number;
}

/** How long triggers send an app's notices to a process after its last registration. */
const INTEREST_SECONDS = 60;
const RENEW_MS = 20_000;
/**
 * Interval of checking whether the transactions that were running at the first registration have ended, in
 * milliseconds.
 */
const SETTLE_MS = 100;
/** Wakes and rechecks run in batches, so that thousands of subscriptions do not read at once. */
const PORTION = 50;
const PORTION_MS = 50;
/** Interval of reads where triggers cannot notify, in milliseconds. */
const LOOK_MS = 1000;

/**
 * Tells the subscriptions of this process when to read again. Triggers notify of an app's changes while a
 * process is registered for it in `live_interest`. For other apps a change costs one lookup in that table.
 */
export class LiveChanges {
  private readonly id = randomUUID();
  private readonly watchers = new Map<string, Set<Watcher>>();
  private readonly byApp = new Map<string, Set<Watcher>>();
  private readonly registering = new Map<string, Promise<void>>();
  private readonly timers = new Set<NodeJS.Timeout>();
  private renewedAt: Date;
  private lookedAt: Date;
  private rechecking = false;
  private closed = false;

  constructor(private readonly parts: LiveChangesParts) {
    this.renewedAt = parts.clock();
    this.lookedAt = parts.clock();
    parts.notices.on('live_changed', (payload) => this.hear(payload));
    parts.notices.on('access_changed', (payload) => this.hearAccess(payload));
    this.every(RENEW_MS, () => this.renew());
    this.every(parts.recheckMs, () => this.recheckAll());
    this.every(LOOK_MS, () => this.lookWithoutHints());
  }

  /** Subscriptions of this process. */
  get size(): number {
    let size = 0;
    for (const own of this.byApp.values()) size += own.size;
    return size;
  }

  /** Subscriptions of one app in this process. */
  sizeOf(appId: string): number {
    return this.byApp.get(appId)?.size ?? 0;
  }

  /**
   * Starts waking the watcher. When this resolves, it is woken by every later commit.
   *
   * @returns a function that stops it
   */
  async watch(watcher: Watcher): Promise<() => void> {
    const { appId } = watcher.topic;
    for (const key of wakersOf(watcher.topic)) join(this.watchers, key, watcher);
    join(this.byApp, appId, watcher);
    const stop = (): void => {
      for (const key of wakersOf(watcher.topic)) leave(this.watchers, key, watcher);
      leave(this.byApp, appId, watcher);
    };
    try {
      await this.interest(appId);
    } catch (error) {
      stop();
      throw error;
    }
    return stop;
  }

  async close(): Promise<void> {
    this.closed = true;
    for (const timer of this.timers) clearTimeout(timer);
    await this.parts.database.read(FORGET, [this.id]).catch(() => undefined);
  }

  /** Shares one registration between concurrent calls. */
  private interest(appId: string): Promise<void> {
    const known = this.registering.get(appId);
    if (known !== undefined) return known;
    const registered = this.register([appId]).catch((error: unknown) => {
      this.registering.delete(appId);
      throw error;
    });
    this.registering.set(appId, registered);
    void registered.then(
      () => this.settle([appId]),
      () => undefined,
    );
    return registered;
  }

  private async register(appIds: readonly string[]): Promise<void> {
    await this.parts.database.read(REGISTER, [this.id, appIds, INTEREST_SECONDS]);
  }

  /**
   * A transaction that was running at a registration may not have seen it, and may commit after a
   * subscription's first read. When all such transactions have ended, all subscriptions read once more.
   */
  private async settle(appIds: readonly string[]): Promise<void> {
    const registered = this.parts.clock();
    try {
      const [begun] = await this.parts.database.read<{ next: string }>(NEXT_TRANSACTION);
      for (;;) {
        const [now] = await this.parts.database.read<{ oldest: string }>(OLDEST_TRANSACTION);
        if (now !== undefined && begun !== undefined && BigInt(now.oldest) >= BigInt(begun.next)) break;
        await new Promise<void>((wake) => this.after(SETTLE_MS, wake));
        if (this.closed) return;
      }
    } catch (error) {
      this.parts.log.warn(
        { err: error },
        'transactions could not be waited for; subscriptions look again at once',
      );
    }
    for (const appId of appIds) this.lookAll(this.watchersOf(appId), registered);
  }

  /**
   * Renews the registration of watched apps, and drops that of others. After too long a pause, notices may
   * have been lost.
   */
  private async renew(): Promise<void> {
    for (const appId of this.registering.keys()) if (this.sizeOf(appId) === 0) this.registering.delete(appId);
    const { heardUntil } = this;
    const now = this.parts.clock();
    const late = now.getTime() - this.renewedAt.getTime() > (INTEREST_SECONDS * 1000) / 2;
    try {
      const appIds = [...this.registering.keys()];
      if (appIds.length > 0) await this.register(appIds);
      this.renewedAt = now;
      await this.parts.database.read(SWEEP);
      if (!late) return;
      this.lookEverywhere(heardUntil);
      void this.settle(appIds);
    } catch (error) {
      this.parts.log.warn({ err: error }, 'the interest in changes could not be renewed; it is tried again');
    }
  }

  /** Up to when all notices have arrived: triggers send none once the registration has ended. */
  private get heardUntil(): Date {
    const { heardUntil } = this.parts.notices;
    return heardUntil < this.renewedAt ? heardUntil : this.renewedAt;
  }

  /**
   * On Citus, changes happen on workers, whose notices do not arrive here: all subscriptions read again
   * regularly.
   */
  private async lookWithoutHints(): Promise<void> {
    const { lookedAt } = this;
    this.lookedAt = this.parts.clock();
    if (this.size === 0) return;
    if (await this.parts.database.isDistributed().catch(() => false)) this.lookEverywhere(lookedAt);
  }

  /**
   * Handles a notice: `kind:app:subject`, with the changed id when the subject stands for many; undefined:
   * anything may have changed.
   */
  private hear(payload: string | undefined): void {
    if (payload === undefined) return this.lookEverywhere(this.heardUntil);
    const [kind = '', appId = '', id = '', detail] = payload.split(':');
    if (id === '*')
      this.lookAll(
        this.watchersOf(appId).filter(({ topic }) => topic.kind === kind),
        this.parts.clock(),
      );
    else for (const watcher of this.watchers.get(`${kind}:${appId}:${id}`) ?? []) watcher.wake(kind, detail);
  }

  private hearAccess(payload: string | undefined): void {
    const [kind, appId = ''] = payload?.split(':') ?? [];
    if (kind === 'app')
      this.lookAll(
        this.watchersOf(appId).filter(({ topic }) => isGated(topic)),
        this.parts.clock(),
      );
    if (this.rechecking) return;
    this.rechecking = true;
    // The verifier drops revoked tokens in the same turn of the event loop. A burst causes one recheck.
    this.after(PORTION_MS, () => {
      this.rechecking = false;
      this.recheckAll();
    });
  }

  private watchersOf(appId: string): Watcher[] {
    return [...(this.byApp.get(appId) ?? [])];
  }

  private lookEverywhere(since: Date): void {
    for (const appId of this.byApp.keys()) this.lookAll(this.watchersOf(appId), since);
  }

  private lookAll(watchers: readonly Watcher[], since: Date): void {
    this.inPortions(watchers, (watcher) => watcher.lookSince(since));
  }

  private recheckAll(): void {
    this.inPortions(
      [...this.byApp.values()].flatMap((own) => [...own]),
      (watcher) => watcher.recheck(),
    );
  }

  private inPortions(watchers: readonly Watcher[], tell: (watcher: Watcher) => void): void {
    for (const watcher of watchers.slice(0, PORTION)) tell(watcher);
    const rest = watchers.slice(PORTION);
    if (rest.length > 0) this.after(PORTION_MS, () => this.inPortions(rest, tell));
  }

  private every(delayMs: number, task: () => void | Promise<void>): void {
    this.after(delayMs, () => {
      void Promise.resolve(task()).finally(() => this.every(delayMs, task));
    });
  }

  private after(delayMs: number, task: () => void): void {
    if (this.closed) return;
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      task();
    }, delayMs);
    timer.unref();
    this.timers.add(timer);
  }
}

function join(sets: Map<string, Set<Watcher>>, key: string, watcher: Watcher): void {
  const known = sets.get(key);
  if (known === undefined) sets.set(key, new Set([watcher]));
  else known.add(watcher);
}

function leave(sets: Map<string, Set<Watcher>>, key: string, watcher: Watcher): void {
  const known = sets.get(key);
  known?.delete(watcher);
  if (known?.size === 0) sets.delete(key);
}

const REGISTER = {
  name: 'live_interest_register',
  text: `INSERT INTO live_interest (app_id, process_id, expires_at)
         SELECT app_id, $1, now() + make_interval(secs => $3) FROM unnest($2::text[]) AS app_id
           ORDER BY app_id
         ON CONFLICT (app_id, process_id) DO UPDATE SET expires_at = excluded.expires_at`,
};

const FORGET = { name: 'live_interest_forget', text: 'DELETE FROM live_interest WHERE process_id = $1' };

/** Removes the registrations of processes that ended without removing them. */
const SWEEP = {
  name: 'live_interest_sweep',
  text: `DELETE FROM live_interest WHERE expires_at < now() - interval '1 minute'`,
};

const NEXT_TRANSACTION = {
  name: 'live_next_transaction',
  text: 'SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS next',
};

const OLDEST_TRANSACTION = {
  name: 'live_oldest_transaction',
  text: 'SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS oldest',
};
