/** How much of one line goes together. */
export interface GroupLimits {
  /** Calls that one transaction takes at most. */
  calls: number;
  /** Transactions at a time, unless they are slow: while one commits, the next is filled. */
  atOnce: number;
  /** Whether a transaction begins only when all that comes in one turn of the event loop is there. */
  gather?: boolean;
}

const LIMITS: GroupLimits = { calls: 16, atOnce: 2 };

/** The longest wait for one of them, in milliseconds: what hangs holds up nobody but those who share it. */
const MAX_WAIT_MS = 50;

/** A call that may share a transaction with others of its line. */
export interface GroupedCall {
  /** What it locks. Calls of one group lock different things, in one order. */
  subject: string;
  key: string;
}

interface Waiting<Call> {
  call: Call;
  timer: NodeJS.Timeout;
}

/**
 * Groups calls of one line (an app and an operation) that are asked for while others of it run. Alone a call
 * runs at once. How many run together follows the load, so that the price of a transaction, of its commit and
 * of the row that all of an app's must lock is paid once for all that waits.
 */
export class GroupCommit<Call extends GroupedCall> {
  private readonly waiting: Waiting<Call>[] = [];
  private running = 0;

  /** @param runAll settles every call itself and never rejects */
  constructor(
    private readonly runAll: (calls: readonly Call[]) => Promise<void>,
    private readonly onIdle: () => void,
    private readonly limits = LIMITS,
  ) {}

  add(call: Call): void {
    const timer = setTimeout(() => void this.start(), MAX_WAIT_MS);
    this.waiting.push({ call, timer });
    if (this.limits.gather !== true) this.startNext();
    else if (this.waiting.length === 1) setImmediate(() => this.startNext());
  }

  private startNext(): void {
    if (this.running < this.limits.atOnce) void this.start();
  }

  private async start(): Promise<void> {
    const calls = this.next();
    if (calls.length === 0) return;
    this.running += 1;
    await this.runAll(calls);
    this.running -= 1;
    this.startNext();
    if (this.running === 0 && this.waiting.length === 0) this.onIdle();
  }

  /** Those that came first, without two of a subject or key, in the order of their subjects. */
  private next(): Call[] {
    const chosen: Call[] = [];
    const taken = new Set<string>();
    for (let at = 0; at < this.waiting.length && chosen.length < this.limits.calls;) {
      const { call, timer } = this.waiting[at] as Waiting<Call>;
      const names = [`subject ${call.subject}`, `key ${call.key}`];
      if (names.some((name) => taken.has(name))) {
        at += 1;
        continue;
      }
      clearTimeout(timer);
      this.waiting.splice(at, 1);
      for (const name of names) taken.add(name);
      chosen.push(call);
    }
    return chosen.toSorted((one, other) => (one.subject < other.subject ? -1 : 1));
  }
}

/** The line of a name, made where there is none; it is let go of when it is idle. */
export function lineOf<Call extends GroupedCall>(
  lines: Map<string, GroupCommit<Call>>,
  name: string,
  runAll: (calls: readonly Call[]) => Promise<void>,
  limits?: GroupLimits,
): GroupCommit<Call> {
  const known = lines.get(name);
  if (known !== undefined) return known;
  const made = new GroupCommit<Call>(runAll, () => lines.delete(name), limits);
  lines.set(name, made);
  return made;
}
