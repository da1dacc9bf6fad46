import { Counter } from 'prom-client';
import type { Registry } from 'prom-client';
import { Database } from './Database.js';
import { HostList } from './hosts/HostList.js';
import type { PoolOptions } from './openPools.js';
import type { Query } from './Database.js';
import type { Row } from './Row.js';

export interface ReplicaOptions {
  urls: readonly string[];
  /** The service's own URL: its role and password are valid on replicas too. */
  serviceUrl: string;
  poolSize: number;
  /** As that of the primary. */
  prepared: boolean;
  onDoubt: (error: Error) => void;
  metrics: Registry;
}

/** The outcome for profiles read from replicas. `behind` and `unanswered`: the primary answers instead. */
export type ReplicaOutcome = 'answered' | 'behind' | 'unanswered';

/** Maximum wait for a replica, in milliseconds; then the primary is asked. */
const ANSWER_MS = 250;
/** A failed replica is not used for this time, in milliseconds. */
const PAUSE_MS = 1000;

interface Replica {
  database: Database;
  /** On the monotonic clock. */
  doubtedUntil: number;
}

const TRUSTED = 0;

/**
 * Read replicas, for bodies whose gate was read from the primary. A replica may be late, stopped or wrong:
 * its answer is used only as far as the gate allows, and any failure means "ask the primary".
 */
export class Replicas {
  private readonly replicas: Replica[];
  private readonly onDoubt: (error: Error) => void;
  private readonly profiles: Counter<'outcome'>;
  private turn = 0;

  constructor({ urls, serviceUrl, poolSize, prepared, onDoubt, metrics }: ReplicaOptions) {
    this.onDoubt = onDoubt;
    this.profiles = new Counter({
      name: 'replica_profiles_total',
      help: 'Profiles asked of replicas: answered, or left to the primary because the replica was behind or did not answer',
      labelNames: ['outcome'],
      registers: [metrics],
    });
    const standbyOnly = new HostList(serviceUrl).mustFindPrimary;
    this.replicas = urls.map((url) => ({
      database: openReplica({
        url: new HostList(url).withLoginOf(serviceUrl),
        poolSize,
        prepared,
        standbyOnly,
      }),
      doubtedUntil: TRUSTED,
    }));
  }

  /** Rows from the next replica in turn; undefined when none can answer now. */
  async readAs<T extends object = Row>(
    appId: string,
    query: Query,
    values: unknown[],
  ): Promise<T[] | undefined> {
    const replica = this.next();
    if (replica === undefined) return undefined;
    try {
      const rows = await replica.database.readAs<T>(appId, query, values);
      replica.doubtedUntil = TRUSTED;
      return rows;
    } catch (error) {
      replica.doubtedUntil = performance.now() + PAUSE_MS;
      this.onDoubt(error as Error);
      return undefined;
    }
  }

  count(outcome: ReplicaOutcome, profiles: number): void {
    this.profiles.inc({ outcome }, profiles);
  }

  async close(): Promise<void> {
    await Promise.all(this.replicas.map(({ database }) => database.close()));
  }

  private next(): Replica | undefined {
    const now = performance.now();
    const trusted = this.replicas.filter(({ doubtedUntil }) => doubtedUntil <= now);
    this.turn += 1;
    const replica = trusted[this.turn % Math.max(1, trusted.length)];
    // After a failure one read tries the replica; others skip it until that one is answered.
    if (replica !== undefined && replica.doubtedUntil !== TRUSTED) replica.doubtedUntil = now + PAUSE_MS;
    return replica;
  }
}

/** After a failover, a writable host may be a former primary with discarded changes. */
function openReplica(options: PoolOptions): Database {
  return new Database({
    ...options,
    connectTimeoutMs: ANSWER_MS,
    answerTimeoutMs: ANSWER_MS,
    statementTimeoutMs: ANSWER_MS,
    onError: () => undefined,
  });
}
