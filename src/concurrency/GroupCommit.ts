/** The bounds of one line of calls. */
export interface GroupLimits {
  /** Maximum calls of one transaction. */
  calls: number;
  /** Concurrent transactions, unless they are slow: while one commits, the next one collects calls. */
  atOnce: number;
  /** Whether a transaction waits for all calls of one turn of the event loop. */
  gather?: boolean;
}

const LIMITS: GroupLimits = { calls: 16, atOnce: 2 };

/**
 * Maximum wait for a running transaction, in milliseconds. A hanging one delays only the calls that share it.
 */
const MAX_WAIT_MS = 50;

/** A call that may share a transaction with others of its line. */
export interface GroupedCall {
  /** What it locks. The calls of a group lock different subjects in one order. */
  subject: string;
  key: string;
}

/** How the calls of a line run. */
export interface GroupedWork<Call, Result> {
  /**
   * Runs calls in one transaction.
   *
   * @returns the result of each call in their order; undefined: it must run alone
   */
  together: (calls: readonly Call[]) => Promise<readonly (PromiseSettledResult<Result> | undefined)[]>;
  /** Runs one call in its own transaction. */
  alone: (call: Call) => Promise<Result>;
  /** Whether a call may still run alone after its group failed; absent: always. */
  mayRunAlone?: (call: Call, failure: unknown) => boolean;
}

interface Waiting<Call, Result> {
  call: Call;
  timer: NodeJS.Timeout;
  resolve: (result: Result | Promise<Result>) => void;
  reject: (error: unknown) => void;
}

/**
 * Groups calls of the same line (an app and an operation) that arrive while others of it run. A single call
 * runs at once. The size of a group follows the load: one transaction, one commit and one lock of the app's
 * row then serve every call that waits. When a group fails, each of its calls runs alone, so no call fails
 * for another.
 */
export class GroupCommit<Call extends GroupedCall, Result> {
  private readonly waiting: Waiting<Call, Result>[] = [];
  private running = 0;

  constructor(
    private readonly work: GroupedWork<Call, Result>,
    private readonly onIdle: () => void,
    private readonly limits = LIMITS,
  ) {}

  run(call: Call): Promise<Result> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => void this.start(), MAX_WAIT_MS);
      this.waiting.push({ call, timer, resolve, reject });
      if (this.limits.gather !== true) this.startNext();
      else if (this.waiting.length === 1) setImmediate(() => this.startNext());
    });
  }

  private startNext(): void {
    if (this.running < this.limits.atOnce) void this.start();
  }

  private async start(): Promise<void> {
    const group = this.next();
    if (group.length === 0) return;
    this.running += 1;
    await this.runAll(group);
    this.running -= 1;
    this.startNext();
    if (this.running === 0 && this.waiting.length === 0) this.onIdle();
  }

  /** Resolves with the group: calls that then run alone do not delay the line. */
  private async runAll(group: readonly Waiting<Call, Result>[]): Promise<void> {
    const { together, alone, mayRunAlone = () => true } = this.work;
    try {
      const settled = await together(group.map(({ call }) => call));
      for (const [place, { call, resolve, reject }] of group.entries()) {
        const end = settled[place];
        if (end === undefined) resolve(alone(call));
        else if (end.status === 'fulfilled') resolve(end.value);
        else reject(end.reason);
      }
    } catch (error) {
      for (const { call, resolve, reject } of group)
        if (group.length > 1 && mayRunAlone(call, error)) resolve(alone(call));
        else reject(error);
    }
  }

  /** The oldest calls, at most one per subject and key, in the order of their subjects. */
  private next(): Waiting<Call, Result>[] {
    const chosen: Waiting<Call, Result>[] = [];
    const taken = new Set<string>();
    for (let at = 0; at < this.waiting.length && chosen.length < this.limits.calls;) {
      const one = this.waiting[at] as Waiting<Call, Result>;
      const names = [`subject ${one.call.subject}`, `key ${one.call.key}`];
      if (names.some((name) => taken.has(name))) {
        at += 1;
        continue;
      }
      clearTimeout(one.timer);
      this.waiting.splice(at, 1);
      for (const name of names) taken.add(name);
      chosen.push(one);
    }
    return chosen.toSorted((one, other) => (one.call.subject < other.call.subject ? -1 : 1));
  }
}

/** The line with a name. It is created at its first use and removed when it is idle. */
export function lineOf<Call extends GroupedCall, Result>(
  lines: Map<string, GroupCommit<Call, Result>>,
  name: string,
  work: GroupedWork<Call, Result>,
  limits?: GroupLimits,
): GroupCommit<Call, Result> {
  const known = lines.get(name);
  if (known !== undefined) return known;
  const made = new GroupCommit<Call, Result>(work, () => lines.delete(name), limits);
  lines.set(name, made);
  return made;
}
