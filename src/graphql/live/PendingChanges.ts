import type { DoorServices } from '../../access/createContext.js';
import type { Topic } from '../../live/topic.js';
import { changedDeliveries } from '../../loaders/changedDeliveries.js';

/** A change that was not told yet. */
export interface PendingChange {
  /** The changed subjects of a topic that covers many. */
  id?: string;
  /** When it was heard of, in milliseconds since 1970. */
  heardAt: number;
}

/** Most changes of one subscription that wait; with more, the client is told to read again. */
const MAX_PENDING = 100;

/** Most changes that a look takes in. */
const MAX_SEEN = 1000;

/** Longer than a transaction takes from its change to its notice. */
const OVERLAP_MS = 10_000;

const POSITION = /^at-(\d{13})$/;

/**
 * What one subscription has still to tell. A topic of one subject has at most one thing: how the subject is
 * now; its events are named by their content. A topic of many keeps which of them changed; its events are
 * named by the time up to which everything was told.
 */
export class PendingChanges {
  /** Whether events are changes rather than states. */
  readonly isStream: boolean;
  private readonly pending = new Map<string | undefined, PendingChange>();
  /** When each was changed that was known at the last look. */
  private seen: ReadonlyMap<string, string> = new Map();
  private overflowed = false;

  constructor(
    private readonly services: DoorServices,
    private readonly topic: Topic,
  ) {
    this.isStream = topic.kind === 'delivery';
  }

  get next(): PendingChange | undefined {
    const [first] = this.pending.values();
    return first;
  }

  /** Whether changes were missed that cannot be told one by one. */
  get readAgain(): boolean {
    return this.overflowed && this.next?.id === undefined;
  }

  /**
   * What there is to tell at the start. A topic of many is looked at once, for who may: nothing of it is told
   * but what changed since the event that the client has seen.
   */
  async begin(lastEventId: string | undefined): Promise<void> {
    this.put(undefined);
    if (!this.isStream) return;
    const [, at] = POSITION.exec(lastEventId ?? '') ?? [];
    if (at !== undefined) await this.addSince(new Date(Number(at) - OVERLAP_MS));
    else if (lastEventId !== undefined) this.overflow();
    else await this.look(this.lately());
  }

  /** @param detail absent where anything may have changed */
  add(detail?: string): void {
    if (this.isStream && detail === undefined) this.missed();
    else if (this.isStream && this.pending.size >= MAX_PENDING) this.overflow();
    else this.put(detail);
  }

  done(change: PendingChange): void {
    if (this.readAgain) this.overflowed = false;
    // What changed again during the read stays pending.
    if (this.pending.get(change.id) === change) this.pending.delete(change.id);
  }

  eventIdOf(digest: () => string): string {
    return this.isStream ? `at-${this.next?.heardAt ?? this.services.clock().getTime()}` : digest();
  }

  private put(detail: string | undefined): void {
    const heardAt = this.services.clock().getTime();
    // Moved to the end, so that the times of what waits grow.
    this.pending.delete(detail);
    this.pending.set(detail, detail === undefined ? { heardAt } : { id: detail, heardAt });
  }

  /** Hints may have been lost: what changed lately is looked up. */
  private missed(): void {
    void this.addSince(this.lately()).catch(() => this.overflow());
  }

  private lately(): Date {
    return new Date(this.services.clock().getTime() - 6 * OVERLAP_MS);
  }

  private async addSince(since: Date): Promise<void> {
    const found = await this.look(since);
    if (found.length > MAX_PENDING) this.overflow();
    else for (const id of found) this.put(id);
  }

  /** What changed since a time and was not known to have when it was last looked at. */
  private async look(since: Date): Promise<string[]> {
    const { services, topic, seen } = this;
    const found = await changedDeliveries({ services, appId: topic.appId }, topic.id, since, MAX_SEEN);
    this.seen = new Map(found.map(({ id, at }) => [id, at]));
    return found.filter(({ id, at }) => seen.get(id) !== at).map(({ id }) => id);
  }

  private overflow(): void {
    this.pending.clear();
    this.overflowed = true;
    this.put(undefined);
  }
}
