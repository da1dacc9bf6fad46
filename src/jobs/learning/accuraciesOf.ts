import { LRUCache } from 'lru-cache';
import type { Transaction } from '../../database/Transaction.js';
import { initialAccuracies } from '../../domain/resolution/initialAccuracies.js';
import { parseSnapshot } from '../../domain/resolution/parseSnapshot.js';
import type { AccuracySnapshot } from '../../domain/resolution/types.js';
import type { Services } from '../../Services.js';

/** Parsed snapshots that a process caches. More of them only cost a read. */
const MAX_CACHED = 50;

interface Cached {
  version: number;
  snapshot: AccuracySnapshot;
}

const caches = new WeakMap<Services['database'], LRUCache<string, Cached>>();

/**
 * The newest source accuracies of the transaction's app and a purpose; the initial ones before any learning.
 */
export async function accuraciesOf(
  tx: Transaction,
  services: Services,
  purpose: number,
): Promise<AccuracySnapshot> {
  const cache = caches.get(services.database) ?? new LRUCache<string, Cached>({ max: MAX_CACHED });
  caches.set(services.database, cache);
  const key = `${tx.appId}/${purpose}`;
  const known = cache.get(key);
  // One statement: it returns the text only when the cached version is outdated.
  const row = await tx.one<{ version: number; snapshot: string | null }>(
    `SELECT version, CASE WHEN version = $3 THEN NULL ELSE snapshot END AS snapshot
       FROM source_accuracies WHERE app_id = $1 AND purpose = $2`,
    [tx.appId, purpose, known?.version ?? 0],
  );
  if (row === undefined) return initialAccuracies();
  if (row.snapshot === null && known !== undefined) return known.snapshot;
  const snapshot = { ...parseSnapshot(row.snapshot ?? ''), version: row.version };
  cache.set(key, { version: row.version, snapshot });
  return snapshot;
}
