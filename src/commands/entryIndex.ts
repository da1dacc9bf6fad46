import type { Transaction } from '../database/Transaction.js';
import { filterEntries } from '../domain/catalog/filterKey.js';
import type { OntologyField } from '../domain/catalog/Ontology.js';
import type { EntryRow } from '../../entities/EntryEntity.js';

/** The state of an app's filter index of one ontology. */
export interface EntryIndex extends Record<string, unknown> {
  ontology_id: string;
  /** The generation that readers use. */
  generation: number;
  /** The generation that a rebuild is making; writers keep both. */
  building: number | null;
  workflow_id: string | null;
}

/**
 * Locks the state of the index until the commit. `FOR SHARE`, for a writer: no rebuild can begin or switch
 * meanwhile, and from the start of a rebuild every writer keeps both generations. `FOR NO KEY UPDATE`:
 * against writers and other rebuilds.
 */
export async function holdIndex(
  tx: Transaction,
  ontologyId: string,
  lock: 'FOR SHARE' | 'FOR NO KEY UPDATE',
): Promise<EntryIndex> {
  const key = [tx.appId, ontologyId];
  await tx.execute(
    'INSERT INTO entry_indexes (app_id, ontology_id) VALUES ($1, $2) ON CONFLICT DO NOTHING',
    key,
  );
  const index = await tx.one<EntryIndex>(
    `SELECT ontology_id, generation, building, workflow_id FROM entry_indexes
      WHERE app_id = $1 AND ontology_id = $2 ${lock}`,
    key,
  );
  if (index === undefined) throw new Error('The filter index has no state.');
  return index;
}

/**
 * Writes the index rows of entries into one generation. Existing rows are correct: only `reindex` removes
 * any.
 */
export async function indexEntries(
  tx: Transaction,
  generation: number,
  map: readonly OntologyField[],
  entries: readonly EntryRow[],
): Promise<void> {
  const rows = entries.flatMap((entry) =>
    filterEntries(map, entry.fields).map((filter) => ({ entry, ...filter })),
  );
  if (rows.length === 0) return;
  await tx.execute(
    `INSERT INTO entry_filters (app_id, ontology_id, generation, slot, value_key, created_at, entry_id)
     SELECT $1, ontology_id, $2, slot, value_key, created_at, entry_id
       FROM unnest($3::text[], $4::text[], $5::text[], $6::timestamptz[], $7::text[]) AS row (ontology_id,
         slot, value_key, created_at, entry_id)
     ON CONFLICT DO NOTHING`,
    [
      tx.appId,
      generation,
      rows.map(({ entry }) => entry.ontology_id),
      rows.map(({ slot }) => slot),
      rows.map(({ key }) => key),
      rows.map(({ entry }) => entry.created_at),
      rows.map(({ entry }) => entry.entry_id),
    ],
  );
}

/** Rebuilds the index rows of one entry in every generation. The caller holds the entry's row. */
export async function reindex(
  tx: Transaction,
  index: EntryIndex,
  map: readonly OntologyField[],
  entry: EntryRow,
): Promise<void> {
  await tx.execute(
    'DELETE FROM entry_filters WHERE app_id = $1 AND entry_id = $2 AND generation = ANY ($3)',
    [
      tx.appId,
      entry.entry_id,
      [index.generation, index.building].filter((generation) => generation !== null),
    ],
  );
  await indexEntries(tx, index.generation, map, [entry]);
  if (index.building !== null) await indexEntries(tx, index.building, map, [entry]);
}
