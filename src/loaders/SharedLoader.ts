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

/** A key, and who waits for its value. */
interface Asked<Key, Value> {
  key: Key;
  resolve: (value: Value) => void;
  reject: (error: Error) => void;
}

/** Keys of one statement that was not sent yet. */
interface Company<Key, Value> {
  asked: Asked<Key, Value>[];
  /** Ends its wait for the statements under way; absent where none are. */
  timer?: NodeJS.Timeout;
}

class ActiveGroup<Key, Value> {
  private underWay = 0;
  /** In the order in which they came. */
  private readonly waiting = new Set<Company<Key, Value>>();
  /** The one that may still grow. */
  private last: Company<Key, Value> | undefined;

  constructor(
    private readonly read: (keys: readonly Key[]) => Promise<(Value | Error)[]>,
    private readonly onIdle: () => void,
  ) {}

  load(key: Key): Promise<Value> {
    const value = this.join(key);
    this.startIfFull(this.last);
    return value;
  }

  loadMany(keys: readonly Key[]): Promise<(Value | Error)[]> {
    const values = keys.map((key) => this.join(key).catch((error: Error) => error));
    this.startIfFull(this.last);
    return Promise.all(values);
  }

  private join(key: Key): Promise<Value> {
    return new Promise((resolve, reject) => {
      if (this.last === undefined || this.last.asked.length >= MAX_KEYS) this.last = this.gather();
      this.last.asked.push({ key, resolve, reject });
    });
  }

  private gather(): Company<Key, Value> {
    const company: Company<Key, Value> = { asked: [] };
    if (this.underWay > 0) {
      company.timer = setTimeout(() => this.start(company), MAX_WAIT_MS);
      this.waiting.add(company);
    } else {
      this.underWay += 1;
      // After all that is asked for in this tick and its promise jobs.
      void Promise.resolve().then(() => process.nextTick(() => void this.send(company)));
    }
    return company;
  }

  private startIfFull(company: Company<Key, Value> | undefined): void {
    if (company === undefined || !this.waiting.has(company)) return;
    const isFull = company.asked.length >= MIN_KEYS_BESIDE;
    if (this.underWay === 0 || (isFull && this.underWay < MAX_AT_ONCE)) this.start(company);
  }

  private start(company: Company<Key, Value>): void {
    clearTimeout(company.timer);
    this.waiting.delete(company);
    this.underWay += 1;
    void this.send(company);
  }

  private async send(company: Company<Key, Value>): Promise<void> {
    if (this.last === company) this.last = undefined;
    const { asked } = company;
    try {
      const values = await readApart(
        this.read,
        asked.map(({ key }) => key),
      );
      for (const [place, { resolve, reject }] of asked.entries()) {
        const value = values[place];
        if (value instanceof Error) reject(value);
        else resolve(value as Value);
      }
    } catch (error) {
      for (const { reject } of asked) reject(error as Error);
    }
    this.underWay -= 1;
    const [next] = this.waiting;
    this.startIfFull(next);
    if (this.underWay === 0) this.onIdle();
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
