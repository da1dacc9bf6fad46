import { isConnectionLost } from '../database/sqlState.js';

/** Maximum keys of one statement: the maximum of one request. */
const MAX_KEYS = 100;

/** Concurrent statements of a group, unless they are slow. */
const MAX_AT_ONCE = 4;

/** The fewest keys for another statement while some are running. */
const MIN_KEYS_BESIDE = 8;

/** Maximum wait in milliseconds: a slow or hanging statement delays only the requests that share it. */
const MAX_WAIT_MS = 25;

/** Reads keys in one statement. The values are in the order of the keys. */
type Read<Group, Key, Value> = (group: Group, keys: readonly Key[]) => Promise<(Value | Error)[]>;

/**
 * Loads by key for all requests of the process. Keys that arrive while others of the group are being read
 * wait for them, at most 25 ms, and share the next statement. At low load every read has its own statement;
 * at high load one carries dozens, and only the pool bounds how many run at once and their wait. A failed
 * statement is repeated key by key, so that bad data of one customer fails no other read. Nothing is cached
 * and no key joins a statement that was sent, so a read never sees data older than its request (read after
 * revoke). A read never mixes groups, so it never mixes apps.
 */
export class SharedLoader<Group, Key, Value> {
  private readonly active = new Map<string, ActiveGroup<Key, Value>>();

  constructor(
    private readonly nameOf: (group: Group) => string,
    private readonly read: Read<Group, Key, Value>,
  ) {}

  /** Groups with reads in progress. */
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

/** A key and its waiting readers. */
interface Asked<Key, Value> {
  key: Key;
  resolve: (value: Value) => void;
  reject: (error: Error) => void;
}

/** The keys of a statement that was not sent yet. */
interface Company<Key, Value> {
  asked: Asked<Key, Value>[];
  /** Ends the wait for running statements; absent without them. */
  timer?: NodeJS.Timeout;
}

class ActiveGroup<Key, Value> {
  private underWay = 0;
  /** In order of arrival. */
  private readonly waiting = new Set<Company<Key, Value>>();
  /** The one that still accepts keys. */
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
      // After all reads of this tick and its promise jobs.
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

/** Orders rows by the requested keys. */
export function inOrder<Row, T>(
  ids: readonly string[],
  rows: readonly Row[],
  idOf: (row: Row) => string,
  read: (row: Row) => T,
): (T | undefined)[] {
  const byId = new Map(rows.map((row) => [idOf(row), row]));
  return ids.map((id) => {
    const row = byId.get(id);
    return row === undefined ? undefined : read(row);
  });
}

/** Reads keys together; after a failure other than the connection's, each separately. */
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
