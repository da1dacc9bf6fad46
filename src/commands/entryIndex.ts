import type { Transaction } from '../database/Transaction.js';
import { valueOf } from '../domain/catalog/entryFields.js';
import { filterEntries } from '../domain/catalog/filterKey.js';
import type { FilterEntry } from '../domain/catalog/filterKey.js';
import type { OntologyField } from '../domain/catalog/Ontology.js';
import { canonicalJson } from '../domain/canonicalJson.js';
import type { EntryRow } from '../../entities/EntryEntity.js';

/** The state of an app's filter index of one ontology. */
export interface EntryIndex {
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
    `SELECT generation, building, workflow_id FROM entry_indexes
      WHERE app_id = $1 AND ontology_id = $2 ${lock}`,
    key,
  );
  if (index === undefined) throw new Error('The filter index has no state.');
  return index;
}

/** An entry of 16,000 tags has as many rows: one statement of all would be long, and its text longer yet. */
const ROWS_OF_STATEMENT = 2000;

export interface IndexRow extends FilterEntry {
  entry: EntryRow;
}

export function indexRows(map: readonly OntologyField[], entry: EntryRow): IndexRow[] {
  return filterEntries(map, entry.fields).map((filter) => ({ entry, ...filter }));
}

/** Writes index rows into one generation. Existing rows are correct: only `reindex` removes any. */
export async function writeIndexRows(
  tx: Transaction,
  generation: number,
  rows: readonly IndexRow[],
): Promise<void> {
  for (let from = 0; from < rows.length; from += ROWS_OF_STATEMENT) {
    const some = rows.slice(from, from + ROWS_OF_STATEMENT);
    await tx.execute(
      `INSERT INTO entry_filters (app_id, ontology_id, generation, slot, value_key, created_at, entry_id)
       SELECT $1, ontology_id, $2, slot, value_key, created_at, entry_id
         FROM unnest($3::text[], $4::text[], $5::text[], $6::timestamptz[], $7::text[]) AS row (ontology_id,
           slot, value_key, created_at, entry_id)
       ON CONFLICT DO NOTHING`,
      [
        tx.appId,
        generation,
        some.map(({ entry }) => entry.ontology_id),
        some.map(({ slot }) => slot),
        some.map(({ key }) => key),
        some.map(({ entry }) => entry.created_at),
        some.map(({ entry }) => entry.entry_id),
      ],
    );
  }
}

/** Writes the index rows of a new entry in every generation. */
export async function indexNew(
  tx: Transaction,
  index: EntryIndex,
  map: readonly OntologyField[],
  entry: EntryRow,
): Promise<void> {
  const rows = indexRows(map, entry);
  for (const generation of generationsOf(index)) await writeIndexRows(tx, generation, rows);
}

/**
 * Makes the index rows of one entry, in every generation, those of its new fields: writes what differs, and
 * nothing for a field that is as it was. The caller holds the entry's row since it read `known`.
 */
export async function reindex(
  tx: Transaction,
  index: EntryIndex,
  map: readonly OntologyField[],
  known: EntryRow,
  entry: EntryRow,
): Promise<void> {
  const changed = map.filter(({ slot }) => textOf(known, slot) !== textOf(entry, slot));
  const had = indexRows(changed, known);
  const has = indexRows(changed, entry);
  if (without(had, has).length > 0) await removeOthers(tx, index, entry, indexRows(map, entry));
  const added = without(has, had);
  for (const generation of generationsOf(index)) await writeIndexRows(tx, generation, added);
}

/** Removes an entry's rows but those to keep, which it hashes: there may be many of both. */
async function removeOthers(
  tx: Transaction,
  index: EntryIndex,
  entry: EntryRow,
  kept: readonly IndexRow[],
): Promise<void> {
  await tx.execute(
    `DELETE FROM entry_filters WHERE app_id = $1 AND entry_id = $2 AND generation = ANY ($3)
      AND (slot, value_key) NOT IN (
        SELECT kept.slot, kept.value_key FROM unnest($4::text[], $5::text[]) AS kept (slot, value_key))`,
    [
      tx.appId,
      entry.entry_id,
      generationsOf(index),
      kept.map(({ slot }) => slot),
      kept.map(({ key }) => key),
    ],
  );
}

function generationsOf({ generation, building }: EntryIndex): number[] {
  return building === null ? [generation] : [generation, building];
}

function textOf({ fields }: EntryRow, slot: string): string {
  return canonicalJson(valueOf(fields, slot) ?? null);
}

function without(rows: readonly IndexRow[], others: readonly IndexRow[]): IndexRow[] {
  const nameOf = ({ slot, key }: IndexRow): string => `${slot} ${key}`;
  const names = new Set(others.map(nameOf));
  return rows.filter((row) => !names.has(nameOf(row)));
}
