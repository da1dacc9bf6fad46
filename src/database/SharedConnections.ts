import type pg from 'pg';
import { DEADLOCK, isConnectionLost, sqlState } from './sqlState.js';

type Send<T> = (client: pg.PoolClient) => Promise<T>;

/** How connections are taken from a pool and given back. */
export interface ConnectionSource {
  checkOut(): Promise<pg.PoolClient>;
  checkIn(client: pg.PoolClient, broken: boolean): void;
  /** Reads on a connection that is not shared. */
  readAlone<T>(send: Send<T>): Promise<T>;
}

export interface Sharing {
  /** Connections that are shared at the same time. */
  connections: number;
  /** Reads that wait on one connection at the same time. */
  depth: number;
}

/**
 * How often a connection's oldest read is looked at, in milliseconds: who waits behind it is moved at the
 * second look.
 */
const LOOK_MS = 12;

/** The statement was being prepared by a read ahead in the pipeline, which failed. */
const NOT_PREPARED = '26000';

interface Waiting {
  /** Reads again on a connection of its own; what the shared one answers is then ignored. */
  move: () => void;
}

/** One connection on which reads are under way. */
class SharedConnection {
  readonly waiting = new Set<Waiting>();
  stuck = false;
  broken = false;
  timer: NodeJS.Timeout | undefined;
  private corked = false;

  constructor(readonly client: Promise<pg.PoolClient>) {}

  get oldest(): Waiting | undefined {
    return this.waiting.values().next().value;
  }

  /**
   * Behind reads that are under way, those of one turn of the event loop are written to the socket together.
   */
  gather(client: pg.PoolClient): void {
    if (this.corked || this.waiting.size < 2) return;
    const { stream } = (client as unknown as WithStream).connection;
    this.corked = true;
    stream.cork();
    setImmediate(() => {
      this.corked = false;
      stream.uncork();
    });
  }
}

/** pg keeps a connection's socket in a field that its typings leave out. */
interface WithStream {
  connection: { stream: { cork(): void; uncork(): void } };
}

/**
 * Lets reads of different apps share connections: each is a message group of its own, with its own setting
 * and its own errors, sent without waiting for those ahead of it. A connection is taken from the pool for the
 * first read, and given back after the last.
 *
 * PostgreSQL answers a connection's reads in order. Those behind one that is not answered within two looks
 * are sent again, each on a connection of its own, and nothing more is put behind it. So are reads whose
 * connection broke under them: a read may run twice.
 */
export class SharedConnections {
  private readonly open = new Set<SharedConnection>();

  constructor(
    private readonly source: ConnectionSource,
    private readonly sharing: Sharing,
  ) {}

  /** @param send sends one read at once, as a message group of its own */
  read<T>(send: Send<T>): Promise<T> {
    const connection = this.leastLoaded();
    if (connection === undefined) return this.source.readAlone(send);
    return new Promise((resolve, reject) => {
      const moveOnce = once(() => this.source.readAlone(send).then(resolve, reject));
      const waiting: Waiting = { move: moveOnce };
      connection.waiting.add(waiting);
      const failed = (error: unknown): void =>
        isTheConnections(error) ? moveOnce() : reject(error as Error);
      this.readShared(connection, send)
        .then(resolve, failed)
        .finally(() => this.leave(connection, waiting));
    });
  }

  /**
   * One that is free is opened before another gets a second read. Undefined when all have as many as they
   * may.
   */
  private leastLoaded(): SharedConnection | undefined {
    const { connections, depth } = this.sharing;
    let least: SharedConnection | undefined;
    for (const connection of this.open) {
      const { stuck, broken, waiting } = connection;
      if (stuck || broken || waiting.size >= depth) continue;
      if (least === undefined || waiting.size < least.waiting.size) least = connection;
    }
    return this.open.size < connections ? this.openOne() : least;
  }

  private openOne(): SharedConnection {
    const connection = new SharedConnection(this.source.checkOut());
    this.open.add(connection);
    this.look(connection, undefined);
    return connection;
  }

  private async readShared<T>(connection: SharedConnection, send: Send<T>): Promise<T> {
    const client = await connection.client;
    connection.gather(client);
    try {
      return await send(client);
    } catch (error) {
      connection.broken ||= isConnectionLost(error);
      throw error;
    }
  }

  private leave(connection: SharedConnection, waiting: Waiting): void {
    connection.waiting.delete(waiting);
    connection.stuck = false;
    if (connection.waiting.size > 0) return;
    this.open.delete(connection);
    clearTimeout(connection.timer);
    connection.client.then(
      (client) => this.source.checkIn(client, connection.broken),
      () => undefined,
    );
  }

  private look(connection: SharedConnection, seen: Waiting | undefined): void {
    connection.timer = setTimeout(() => {
      const { oldest } = connection;
      this.look(connection, oldest);
      // An answer that has arrived already is read before anybody moves, however long this process was busy.
      if (oldest !== undefined && oldest === seen) setImmediate(() => moveBehind(connection, oldest));
    }, LOOK_MS);
  }
}

function moveBehind(connection: SharedConnection, oldest: Waiting): void {
  if (connection.oldest !== oldest) return;
  connection.stuck = true;
  for (const waiting of connection.waiting) if (waiting !== oldest) waiting.move();
}

/**
 * Whether a read failed for its connection and not for itself. One that was not answered in time has had its
 * time.
 */
function isTheConnections(error: unknown): boolean {
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
