import { hash } from 'node:crypto';
import type { RequestServices } from '../../Services.js';
import type { Topic } from '../../live/topic.js';
import { changedDeliveries } from '../../loaders/changedDeliveries.js';
import type { ChangedDelivery } from '../../loaders/changedDeliveries.js';

/** A change that was not sent yet. */
export interface PendingChange {
  /** The changed subject, for a topic of many subjects. */
  id?: string;
  /** When it changed or its notice arrived, in milliseconds since 1970. */
  at: number;
}

/** Maximum waiting changes of one subscription; with more, the client is told to read again. */
const MAX_PENDING = 100;

/** Maximum changes of one lookup. */
const MAX_SEEN = 1000;

/** Longer than the time from a transaction's change to its notice. */
const OVERLAP_MS = 10_000;

/** The shortest time of a lookup after notices may have been lost. */
const LOOK_BACK_MS = 60_000;

const POSITION = /^at-(\d{13})$/;

/**
 * The unsent changes of one subscription. A topic of one subject has at most one: the subject's current
 * state. The ids of its events derive from their content. A topic of many keeps the ids of changed subjects.
 * The ids of its events are the time up to which all changes were sent.
 */
export class PendingChanges {
  /** Whether events are changes, not states. */
  readonly isStream: boolean;
  private readonly pending = new Map<string | undefined, PendingChange>();
  /** Hashes of the changes known at the last lookup: there may be thousands of subscriptions. */
  private seen = new BigUint64Array();
  /** The lookups so far; each waits for the one before, as it needs to know what that one has seen. */
  private looks: Promise<void> = Promise.resolve();
  private begun = false;
  private overflowed = false;

  constructor(
    private readonly services: RequestServices,
    private readonly topic: Topic,
  ) {
    this.isStream = topic.kind === 'delivery';
  }

  get next(): PendingChange | undefined {
    const [first] = this.pending.values();
    return first;
  }

  /** Whether changes were lost that cannot be sent one by one. */
  get readAgain(): boolean {
    return this.overflowed && this.next?.id === undefined;
  }

  /**
   * Collects the changes at the start. A topic of many begins with one read without a subject, which checks
   * the caller's rights. Only changes since the event that the client has received are sent.
   */
  async begin(lastEventId: string | undefined): Promise<void> {
    this.begun = true;
    this.put(undefined);
    if (!this.isStream) return;
    const [, at] = POSITION.exec(lastEventId ?? '') ?? [];
    const since = Number(at) - OVERLAP_MS;
    // A time to come is of before the database's clock was set back: what changed since has earlier ones.
    if (at !== undefined && since <= this.now) await this.addChanged(since);
    else if (lastEventId !== undefined) this.overflow();
    else await this.look(this.now - LOOK_BACK_MS);
  }

  /** @param detail the changed subject of a topic of many */
  add(detail?: string): void {
    if (this.isStream && this.pending.size >= MAX_PENDING) this.overflow();
    else this.put(detail);
  }

  /**
   * Adds what may have changed since notices were last known to arrive. What changed before the beginning is
   * for the beginning to tell.
   */
  async addSince(time: Date): Promise<void> {
    if (!this.begun) return;
    if (!this.isStream) return this.put(undefined);
    try {
      await this.addChanged(Math.min(time.getTime() - OVERLAP_MS, this.now - LOOK_BACK_MS));
      // Without a change there is a read too: the topic itself may have been deleted.
      if (this.next === undefined) this.put(undefined);
    } catch {
      this.overflow();
    }
  }

  done(change: PendingChange): void {
    if (this.readAgain) this.overflowed = false;
    // A subject that changed again during the read stays pending.
    if (this.pending.get(change.id) === change) this.pending.delete(change.id);
  }

  eventIdOf(digest: () => string): string {
    if (!this.isStream) return digest();
    const times = [...this.pending.values()].map(({ at }) => at);
    return `at-${Math.min(...times, this.now)}`;
  }

  private get now(): number {
    return this.services.clock().getTime();
  }

  private put(detail: string | undefined, at = this.now): void {
    // Moved to the end, to keep the waiting changes in order.
    this.pending.delete(detail);
    this.pending.set(detail, detail === undefined ? { at } : { id: detail, at });
  }

  private async addChanged(since: number): Promise<void> {
    const found = await this.look(since);
    if (found.length + this.pending.size > MAX_PENDING) this.overflow();
    else for (const { id, at } of found) this.put(id, Date.parse(at));
  }

  /** Finds changes since a time that were not known at the last lookup. */
  private look(since: number): Promise<ChangedDelivery[]> {
    const found = this.looks.then(() => this.lookNow(since));
    this.looks = found.then(nothing, nothing);
    return found;
  }

  private async lookNow(since: number): Promise<ChangedDelivery[]> {
    const { services, topic } = this;
    const scope = { services, appId: topic.appId };
    const found = await changedDeliveries(scope, topic.id, new Date(since), MAX_SEEN);
    const hashes = found.map(hashOf);
    const seen = new Set(this.seen);
    this.seen = BigUint64Array.from(hashes);
    return found.filter((_, place) => !seen.has(hashes[place] ?? 0n));
  }

  private overflow(): void {
    this.pending.clear();
    this.overflowed = true;
    this.put(undefined);
  }
}

/** Drops what was found: there may be thousands of subscriptions. */
function nothing(): void {}

function hashOf({ id, at }: ChangedDelivery): bigint {
  return hash('sha1', `${id} ${at}`, 'buffer').readBigUInt64LE();
}
