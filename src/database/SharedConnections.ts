import type pg from 'pg';
import type { Turns } from '../concurrency/Turns.js';
import { NotRun } from './MessageGroup.js';
import { DEADLOCK, isConnectionLost, sqlState } from './sqlState.js';

export interface Waiting<Read, Answer> {
  read: Read;
  resolve: (answer: Answer) => void;
  reject: (error: Error) => void;
}

/** Takes connections from a pool, returns them, and sends reads on them. */
export interface ConnectionSource<Read, Answer> {
  checkOut(): Promise<pg.PoolClient>;
  checkIn(client: pg.PoolClient, broken: boolean): void;
  /** Sends reads at once and settles each. Fulfilled when the connection is free again. */
  readTogether(client: pg.PoolClient, reads: readonly Waiting<Read, Answer>[]): Promise<void>;
  /** Reads on a connection of its own. */
  readAlone(read: Read): Promise<Answer>;
}

export interface Sharing {
  /** Concurrent flights, each on its own connection. */
  connections: number;
  /** Reads of one flight. */
  reads: number;
  /** Bounds the concurrent reads of one app outside flights; absent: unbounded. */
  apart?: Turns;
}

/** Interval between checks of reads, in milliseconds. A blocked read is moved at the second check. */
const LOOK_MS = 12;

/** An earlier read in the pipeline failed while it prepared the statement. */
const NOT_PREPARED = '26000';

interface Movable<Read, Answer> extends Waiting<Read, Answer> {
  /** Reads on its own connection; a later answer of the shared one is ignored. */
  move: () => void;
}

/** Reads that were sent together. */
class Flight<Read, Answer> {
  stuck = false;
  broken = false;
  private readonly unanswered: Set<Movable<Read, Answer>>;
  private seen: unknown;

  constructor(reads: readonly Movable<Read, Answer>[]) {
    this.unanswered = new Set(reads);
  }

  /** Whether the oldest read is the same as at the previous check. */
  look(): boolean {
    const oldest = this.oldest();
    const isLate = oldest !== undefined && oldest === this.seen;
    this.seen = oldest;
    return isLate;
  }

  /** The unanswered reads. Each is removed when it is answered. */
  get reads(): Waiting<Read, Answer>[] {
    return [...this.unanswered].map((waiting) => ({
      read: waiting.read,
      resolve: (answer) => {
        this.unanswered.delete(waiting);
        waiting.resolve(answer);
      },
      reject: (error) => {
        this.unanswered.delete(waiting);
        this.broken ||= isConnectionLost(error);
        waiting.reject(error);
      },
    }));
  }

  /** PostgreSQL may buffer answers before the hanging read, so any read may be the blocked one. */
  giveUp(): void {
    if (this.oldest() !== this.seen) return;
    this.stuck = true;
    if (this.unanswered.size > 1) for (const { move } of this.unanswered) move();
  }

  private oldest(): Movable<Read, Answer> | undefined {
    return this.unanswered.values().next().value;
  }
}

/**
 * Lets reads of different apps share connections. While a flight is under way, the reads of one turn of the
 * event loop leave together, or wait while all connections are in use. No read joins a flight that was sent.
 * Each flight takes a connection from the pool.
 *
 * PostgreSQL answers a flight's reads in order. If the oldest is not answered within two checks, the flight's
 * reads are sent again, each on its own connection. So are reads that wait so long to leave, reads whose
 * connection broke, and reads skipped after another's failure: a read may run twice.
 */
export class SharedConnections<Read, Answer> {
  private queue: Movable<Read, Answer>[] = [];
  private readonly flights = new Set<Flight<Read, Answer>>();
  private departure: NodeJS.Immediate | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly source: ConnectionSource<Read, Answer>,
    private readonly sharing: Sharing,
  ) {}

  read(read: Read): Promise<Answer> {
    if (this.isStuck()) return this.source.readAlone(read);
    return new Promise((resolve, reject) => {
      const move = once(() => this.source.readAlone(read).then(resolve, reject));
      const fail = (error: Error): void => (isNotItsOwn(error) ? move() : reject(error));
      this.queue.push({ read, resolve, reject: fail, move });
      if (this.flights.size === 0) this.depart();
      else this.gather();
      this.timer ??= setTimeout(() => this.look(undefined), LOOK_MS);
    });
  }

  private isStuck(): boolean {
    return this.flights.size >= this.sharing.connections && [...this.flights].every(({ stuck }) => stuck);
  }

  /** Sends after this turn of the event loop, with all its reads. */
  private gather(): void {
    this.departure ??= setImmediate(() => {
      this.departure = undefined;
      this.depart();
    });
  }

  private depart(): void {
    while (this.queue.length > 0 && this.flights.size < this.sharing.connections)
      void this.fly(new Flight(this.queue.splice(0, this.sharing.reads)));
  }

  private async fly(flight: Flight<Read, Answer>): Promise<void> {
    this.flights.add(flight);
    const { reads } = flight;
    try {
      const client = await this.source.checkOut();
      let broken = true;
      try {
        await this.source.readTogether(client, reads);
        ({ broken } = flight);
      } finally {
        this.source.checkIn(client, broken);
      }
    } catch (error) {
      for (const { reject } of reads) reject(error as Error);
    } finally {
      this.flights.delete(flight);
      if (this.departure === undefined) this.depart();
    }
  }

  /** @param seen the first in the queue at the previous check */
  private look(seen: Movable<Read, Answer> | undefined): void {
    const [first] = this.queue;
    const late = [...this.flights].filter((flight) => flight.look());
    const isOver = first === undefined && this.flights.size === 0;
    this.timer = isOver ? undefined : setTimeout(() => this.look(first), LOOK_MS);
    // Answers that have arrived are processed before any read moves, however long this process was busy.
    setImmediate(() => {
      for (const flight of late) flight.giveUp();
      if (first === undefined || first !== seen || first !== this.queue[0]) return;
      for (const { move } of this.queue.splice(0)) move();
    });
  }
}

/**
 * Whether a read failed because of its connection or of other reads. A read that timed out does not count.
 */
function isNotItsOwn(error: unknown): boolean {
  if (error instanceof NotRun) return true;
  // A read deadlocks only with a migration that changes its tables.
  if (sqlState(error) === NOT_PREPARED || sqlState(error) === DEADLOCK) return true;
  return isConnectionLost(error) && !(error instanceof Error && /timeout/i.test(error.message));
}

function once(work: () => unknown): () => void {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    work();
  };
}
