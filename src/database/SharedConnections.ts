import type pg from 'pg';
import { NotRun } from './MessageGroup.js';
import { DEADLOCK, isConnectionLost, sqlState } from './sqlState.js';

/** A read that waits for its answer. */
export interface Waiting<Read, Answer> {
  read: Read;
  resolve: (answer: Answer) => void;
  reject: (error: Error) => void;
}

/** How connections are taken from a pool and given back, and what is sent on them. */
export interface ConnectionSource<Read, Answer> {
  checkOut(): Promise<pg.PoolClient>;
  checkIn(client: pg.PoolClient, broken: boolean): void;
  /** Sends reads at once and settles each of them; fulfilled when the connection is free for others. */
  readTogether(client: pg.PoolClient, reads: readonly Waiting<Read, Answer>[]): Promise<void>;
  /** Reads on a connection that is not shared. */
  readAlone(read: Read): Promise<Answer>;
}

export interface Sharing {
  /** Flights that are under way at the same time, each on a connection. */
  connections: number;
  /** Reads of one flight. */
  reads: number;
  /** How many reads of one app run apart from flights at the same time; absent: as many as there are. */
  apart?: { run<T>(appId: string, work: () => Promise<T>): Promise<T> };
}

/** How often reads are looked at, in milliseconds: who waits for another is moved at the second look. */
const LOOK_MS = 12;

/** The statement was being prepared by a read ahead in the pipeline, which failed. */
const NOT_PREPARED = '26000';

interface Movable<Read, Answer> extends Waiting<Read, Answer> {
  /** Reads on a connection of its own; what the shared one answers later is then ignored. */
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

  /** Whether its oldest was so at the look before. */
  look(): boolean {
    const oldest = this.oldest();
    const isLate = oldest !== undefined && oldest === this.seen;
    this.seen = oldest;
    return isLate;
  }

  /** The reads, which leave with their answers. */
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

  /** PostgreSQL may hold back answers ahead of the read that hangs, so any may be the one. */
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
 * Lets reads of different apps share connections. Behind a flight that is under way, what is asked for in one
 * turn of the event loop leaves together, or waits while all are; nothing joins a flight that was sent. A
 * connection is taken from the pool for each.
 *
 * PostgreSQL answers a flight's reads in order. Those whose oldest is not answered within two looks are sent
 * again, each on a connection of its own, as are those that wait so long to leave. So are reads whose
 * connection broke, or that were skipped for the failure of another: a read may run twice.
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

  /** Leaves when all that this turn of the event loop asks for is here. */
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

  /** @param seen the first in the queue at the look before */
  private look(seen: Movable<Read, Answer> | undefined): void {
    const [first] = this.queue;
    const late = [...this.flights].filter((flight) => flight.look());
    const isOver = first === undefined && this.flights.size === 0;
    this.timer = isOver ? undefined : setTimeout(() => this.look(first), LOOK_MS);
    // An answer that has arrived already is read before anybody moves, however long this process was busy.
    setImmediate(() => {
      for (const flight of late) flight.giveUp();
      if (first === undefined || first !== seen || first !== this.queue[0]) return;
      for (const { move } of this.queue.splice(0)) move();
    });
  }
}

/**
 * Whether a read failed for its connection or its company and not for itself. One that was not answered in
 * time has had its time.
 */
function isNotItsOwn(error: unknown): boolean {
  if (error instanceof NotRun) return true;
  // A deadlock is one with a migration that changes the tables of the read.
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
