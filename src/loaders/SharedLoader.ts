import DataLoader from 'dataloader';
import { isConnectionLost } from '../database/sqlState.js';

/** Most keys of one statement: as many as one request may ask for. */
const MAX_KEYS = 100;

/** Statements of a group that run at the same time, unless they are slow. */
const MAX_AT_ONCE = 4;

/** The fewest keys for which another statement starts while some are running. */
const MIN_KEYS_BESIDE = 8;

/** The longest wait, in milliseconds: a slow or hanging statement holds up nobody but those who share it. */
const MAX_WAIT_MS = 25;

/** Answers keys in their order, in one statement. */
type Read<Group, Key, Value> = (group: Group, keys: readonly Key[]) => Promise<(Value | Error)[]>;

/**
 * Loads by key for all requests of the process. What is asked for while others of the group are being read
 * waits for company, until they are read or for 25 ms at most, and shares the next statement: at little load
 * every read has a statement of its own, at much load one carries dozens, and how many run at once is bounded
 * by the pool alone, as is the wait for it. A statement that fails is sent again key by key, so that nobody's
 * data fails a neighbour. Nothing is remembered, and no key joins a statement that was sent already, so that
 * what a read sees is never older than the request for it (read after revoke). A group is what a statement
 * may not mix: one app's reads never travel with another's.
 */
export class SharedLoader<Group, Key, Value> {
  private readonly active = new Map<string, ActiveGroup<Key, Value>>();

  constructor(
    private readonly nameOf: (group: Group) => string,
    private readonly read: Read<Group, Key, Value>,
  ) {}

  /** Groups being read for now. */
  get size(): number {
    return this.active.size;
  }

  load(group: Group, key: Key): Promise<Value> {
    return this.groupOf(group).load(key);
  }

  loadMany(group: Group, keys: readonly Key[]): Promise<(Value | Error)[]> {
    return this.groupOf(group).loadMany(keys);
  }

  private groupOf(group: Group): ActiveGroup<Key, Value> {
    const name = this.nameOf(group);
    const known = this.active.get(name);
    if (known !== undefined) return known;
    const made = new ActiveGroup<Key, Value>(
      (keys) => this.read(group, keys),
      () => this.active.delete(name),
    );
    this.active.set(name, made);
    return made;
  }
}

/** Keys that wait for their turn. */
interface Waiting {
  keys: number;
  dispatch: () => void;
  timer: NodeJS.Timeout;
}

class ActiveGroup<Key, Value> {
  /**
   * None while nothing is read: it holds on to its last values (docs/decisions/0028-what-kept-rows-alive.md).
   */
  private loader: DataLoader<Key, Value> | undefined;
  private underWay = 0;
  /** In the order in which they came; the last may still grow. */
  private readonly waiting = new Set<Waiting>();
  private last: Waiting | undefined;

  constructor(
    private readonly read: (keys: readonly Key[]) => Promise<(Value | Error)[]>,
    private readonly onIdle: () => void,
  ) {}

  load(key: Key): Promise<Value> {
    const value = this.open().load(key);
    this.grow(1);
    return value;
  }

  loadMany(keys: readonly Key[]): Promise<(Value | Error)[]> {
    const values = this.open().loadMany(keys);
    this.grow(keys.length);
    return values;
  }

  private open(): DataLoader<Key, Value> {
    return (this.loader ??= new DataLoader<Key, Value>(
      (keys) => this.inTurn(() => readApart(this.read, keys)),
      { cache: false, maxBatchSize: MAX_KEYS, batchScheduleFn: (dispatch) => this.schedule(dispatch) },
    ));
  }

  /** Called by the loader with the first key of every batch. */
  private schedule(dispatch: () => void): void {
    if (this.underWay > 0) {
      const waiting: Waiting = {
        keys: 0,
        dispatch,
        timer: setTimeout(() => this.start(waiting), MAX_WAIT_MS),
      };
      this.waiting.add(waiting);
      this.last = waiting;
      return;
    }
    this.underWay += 1;
    // After all that is asked for in this tick and its promise jobs, as DataLoader does by itself.
    void Promise.resolve().then(() => process.nextTick(dispatch));
  }

  private grow(keys: number): void {
    if (this.last === undefined) return;
    this.last.keys += keys;
    if (this.underWay < MAX_AT_ONCE && this.last.keys >= MIN_KEYS_BESIDE) this.start(this.last);
  }

  private start(waiting: Waiting): void {
    clearTimeout(waiting.timer);
    this.waiting.delete(waiting);
    if (this.last === waiting) this.last = undefined;
    this.underWay += 1;
    waiting.dispatch();
  }

  private close(): void {
    this.loader = undefined;
    this.onIdle();
  }

  private async inTurn<T>(read: () => Promise<T>): Promise<T> {
    try {
      return await read();
    } finally {
      this.underWay -= 1;
      const [next] = this.waiting;
      if (next !== undefined && (this.underWay === 0 || next.keys >= MIN_KEYS_BESIDE)) this.start(next);
      if (this.underWay === 0) this.close();
    }
  }
}

/** Reads keys together and, where that fails for any reason but the connection, each by itself. */
async function readApart<Key, Value>(
  read: (keys: readonly Key[]) => Promise<(Value | Error)[]>,
  keys: readonly Key[],
): Promise<(Value | Error)[]> {
  try {
    return await read(keys);
  } catch (error) {
    if (keys.length === 1 || isConnectionLost(error)) throw error;
  }
  const values: (Value | Error)[] = [];
  for (const key of keys) values.push(...(await read([key]).catch((error: unknown) => [error as Error])));
  return values;
}
