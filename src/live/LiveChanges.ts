import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Database } from '../database/Database.js';
import type { Notices } from '../database/Notices.js';
import { isGated, wakersOf } from './topic.js';
import type { Topic } from './topic.js';

/** A listener for changes of a topic. */
export interface Watcher {
  topic: Topic;
  /** @param detail the id of what changed, where the topic covers many */
  wake: (detail?: string) => void;
  /** Something about tokens, apps or members changed: the caller may have lost its rights. */
  recheck: () => void;
}

export interface LiveChangesParts {
  database: Database;
  notices: Notices;
  log: Logger;
  /** How often idle subscriptions are asked whether their token is still good. */
  recheckMs?: number;
}

/** How long triggers believe that a process wants an app's hints. */
const INTEREST_SECONDS = 60;
const RENEW_MS = 20_000;
/** Between looks whether the transactions that were under way at the first interest have ended. */
const SETTLE_MS = 100;
/** Wakes and rechecks of all come in portions, so that thousands of subscriptions do not ask at once. */
const PORTION = 50;
const PORTION_MS = 50;
const DEFAULT_RECHECK_MS = 15_000;
/** Where no trigger can hint. */
const LOOK_MS = 1000;

/**
 * Tells the subscriptions of this process when to look again. Triggers notify of an app's changes while a
 * process says in `live_interest` that it wants to hear of them; apps that nobody watches pay one look at
 * that table per change.
 */
export class LiveChanges {
  private readonly id = randomUUID();
  private readonly watchers = new Map<string, Set<Watcher>>();
  private readonly byApp = new Map<string, Set<Watcher>>();
  private readonly registering = new Map<string, Promise<void>>();
  private readonly timers = new Set<NodeJS.Timeout>();
  private renewedAt = performance.now();
  private rechecking = false;
  private closed = false;

  constructor(private readonly parts: LiveChangesParts) {
    parts.notices.on('live_changed', (payload) => this.hear(payload));
    parts.notices.on('access_changed', (payload) => this.hearAccess(payload));
    this.every(RENEW_MS, () => this.renew());
    this.every(parts.recheckMs ?? DEFAULT_RECHECK_MS, () => this.recheckAll());
    this.every(LOOK_MS, () => this.lookWithoutHints());
  }

  /** Subscriptions of this process. */
  get size(): number {
    let size = 0;
    for (const own of this.byApp.values()) size += own.size;
    return size;
  }

  /** Of one app. */
  sizeOf(appId: string): number {
    return this.byApp.get(appId)?.size ?? 0;
  }

  /**
   * Begins to wake the watcher; when this resolves, every change that commits from now on does. The answer
   * stops it.
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

  /** One registration for all that come at the same time. */
  private interest(appId: string): Promise<void> {
    const known = this.registering.get(appId);
    if (known !== undefined) return known;
    const registered = this.register([appId]).catch((error: unknown) => {
      this.registering.delete(appId);
      throw error;
    });
    this.registering.set(appId, registered);
    void registered.then(
      () => this.settle(appId),
      () => undefined,
    );
    return registered;
  }

  private async register(appIds: readonly string[]): Promise<void> {
    await this.parts.database.read(REGISTER, [this.id, appIds, INTEREST_SECONDS]);
  }

  /**
   * A transaction that was under way when the interest was registered may have looked for it in vain and
   * commit after a subscription's first read. When all of those have ended, everybody looks once more.
   */
  private async settle(appId: string): Promise<void> {
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
    this.wakeAll(this.byApp.get(appId) ?? []);
  }

  /**
   * Keeps the interest of apps that are watched, and lets go of the others. After too long a pause hints may
   * be missing.
   */
  private async renew(): Promise<void> {
    for (const appId of this.registering.keys()) if (this.sizeOf(appId) === 0) this.registering.delete(appId);
    const late = performance.now() - this.renewedAt > (INTEREST_SECONDS * 1000) / 2;
    try {
      if (this.registering.size > 0) await this.register([...this.registering.keys()]);
      this.renewedAt = performance.now();
      await this.parts.database.read(SWEEP);
      if (late) this.hear(undefined);
    } catch (error) {
      this.parts.log.warn({ err: error }, 'the interest in changes could not be renewed; it is tried again');
    }
  }

  /** On Citus changes happen on workers, whose notices nobody hears: everybody looks again now and then. */
  private async lookWithoutHints(): Promise<void> {
    if (this.size === 0) return;
    if (await this.parts.database.isDistributed().catch(() => false)) this.hear(undefined);
  }

  /**
   * `kind:app:subject`, with what changed of a subject that stands for many; or nothing: anything may have
   * changed.
   */
  private hear(payload: string | undefined): void {
    if (payload === undefined) {
      for (const own of this.byApp.values()) this.wakeAll(own);
      return;
    }
    const [kind = '', appId = '', id = '', detail] = payload.split(':');
    if (id === '*')
      this.wakeAll([...(this.byApp.get(appId) ?? [])].filter(({ topic }) => topic.kind === kind));
    else for (const watcher of this.watchers.get(`${kind}:${appId}:${id}`) ?? []) watcher.wake(detail);
  }

  private hearAccess(payload: string | undefined): void {
    const [kind, appId = ''] = payload?.split(':') ?? [];
    if (kind === 'app')
      this.wakeAll([...(this.byApp.get(appId) ?? [])].filter(({ topic }) => isGated(topic)));
    if (this.rechecking) return;
    this.rechecking = true;
    // What was revoked is forgotten by the verifier in the same turn; a burst is answered once.
    this.after(PORTION_MS, () => {
      this.rechecking = false;
      this.recheckAll();
    });
  }

  private wakeAll(watchers: Iterable<Watcher>): void {
    this.inPortions([...watchers], (watcher) => watcher.wake());
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

/** That of processes which ended without a word. */
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
