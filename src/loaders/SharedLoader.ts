import DataLoader from 'dataloader';

/** Most keys of one statement: as many as one request may ask for. */
const MOST_KEYS = 100;

/** Statements of one kind and group that are under way at most. */
const MOST_AT_ONCE = 3;

/** Answers keys in their order, in one statement. */
type Read<Group, Key, Value> = (group: Group, keys: readonly Key[]) => Promise<(Value | Error)[]>;

/**
 * Loads by key for all requests of the process. What is asked for while others of the group are being read waits for the
 * next statement and shares it: at little load every read has a statement of its own, at much load one carries dozens.
 * Nothing is remembered, and no key joins a statement that was sent already, so that what a read sees is never older than
 * the request for it (read after revoke). A group is what a statement may not mix: one app's reads never travel with another's.
 */
export class SharedLoader<Group, Key, Value> {
  private readonly read: Read<Group, Key, Value>;
  private readonly nameOf: (group: Group) => string;
  private readonly active = new Map<string, ActiveGroup<Key, Value>>();

  constructor(nameOf: (group: Group) => string, read: Read<Group, Key, Value>) {
    this.nameOf = nameOf;
    this.read = read;
  }

  /** Groups being read for now. */
  get size(): number {
    return this.active.size;
  }

  load(group: Group, key: Key): Promise<Value> {
    return this.groupOf(group).loader.load(key);
  }

  loadMany(group: Group, keys: readonly Key[]): Promise<(Value | Error)[]> {
    return this.groupOf(group).loader.loadMany(keys);
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

class ActiveGroup<Key, Value> {
  readonly loader: DataLoader<Key, Value>;
  private readonly onIdle: () => void;
  private underWay = 0;
  /** Batches that wait for their turn; they grow until then. */
  private readonly waiting: (() => void)[] = [];

  constructor(read: (keys: readonly Key[]) => Promise<(Value | Error)[]>, onIdle: () => void) {
    this.onIdle = onIdle;
    this.loader = new DataLoader<Key, Value>((keys) => this.inTurn(() => read(keys)), {
      cache: false,
      maxBatchSize: MOST_KEYS,
      batchScheduleFn: (dispatch) => this.schedule(dispatch),
    });
  }

  private schedule(dispatch: () => void): void {
    if (this.underWay >= MOST_AT_ONCE) {
      this.waiting.push(dispatch);
      return;
    }
    this.underWay += 1;
    // After all that is asked for in this tick and its promise jobs, as DataLoader does by itself.
    void Promise.resolve().then(() => process.nextTick(dispatch));
  }

  private async inTurn<T>(read: () => Promise<T>): Promise<T> {
    try {
      return await read();
    } finally {
      const next = this.waiting.shift();
      if (next !== undefined) next();
      else {
        this.underWay -= 1;
        if (this.underWay === 0) this.onIdle();
      }
    }
  }
}
