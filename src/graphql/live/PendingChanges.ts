import type { RequestServices } from '../../Services.js';
import type { Topic } from '../../live/topic.js';
import { changedDeliveries } from '../../loaders/changedDeliveries.js';

/** A change that was not sent yet. */
export interface PendingChange {
  /** The changed subject, for a topic of many subjects. */
  id?: string;
  /** When its notice arrived, in milliseconds since 1970. */
  heardAt: number;
}

/** Maximum waiting changes of one subscription; with more, the client is told to read again. */
const MAX_PENDING = 100;

/** Maximum changes of one lookup. */
const MAX_SEEN = 1000;

/** Longer than the time from a transaction's change to its notice. */
const OVERLAP_MS = 10_000;

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
  /** The times of change known at the last lookup, by subject. */
  private seen: ReadonlyMap<string, string> = new Map();
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
    this.put(undefined);
    if (!this.isStream) return;
    const [, at] = POSITION.exec(lastEventId ?? '') ?? [];
    if (at !== undefined) await this.addSince(new Date(Number(at) - OVERLAP_MS));
    else if (lastEventId !== undefined) this.overflow();
    else await this.look(this.lately());
  }

  /** @param detail absent when anything may have changed */
  add(detail?: string): void {
    if (this.isStream && detail === undefined) this.missed();
    else if (this.isStream && this.pending.size >= MAX_PENDING) this.overflow();
    else this.put(detail);
  }

  done(change: PendingChange): void {
    if (this.readAgain) this.overflowed = false;
    // A subject that changed again during the read stays pending.
    if (this.pending.get(change.id) === change) this.pending.delete(change.id);
  }

  eventIdOf(digest: () => string): string {
    return this.isStream ? `at-${this.next?.heardAt ?? this.services.clock().getTime()}` : digest();
  }

  private put(detail: string | undefined): void {
    const heardAt = this.services.clock().getTime();
    // Moved to the end, to keep the waiting changes in order of time.
    this.pending.delete(detail);
    this.pending.set(detail, detail === undefined ? { heardAt } : { id: detail, heardAt });
  }

  /** Looks up recent changes, as notices may have been lost. */
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

  /** Finds changes since a time that were not known at the last lookup. */
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
