import { holdIndex, indexRows, writeIndexRows } from '../commands/entryIndex.js';
import { ENTRY_COLUMNS } from '../../entities/EntryEntity.js';
import type { IndexRow } from '../commands/entryIndex.js';
import type { EntryRow } from '../../entities/EntryEntity.js';
import { findOntology } from '../commands/findOntology.js';
import type { WorkflowRow } from '../../entities/WorkflowEntity.js';
import type { Transaction } from '../database/Transaction.js';
import type { JsonObject, JsonValue } from '../domain/jsonValue.js';

/** Maximum entries of one transaction. */
const ENTRIES = 500;

/**
 * The bytes of fields, as PostgreSQL stores them, after which a transaction reads no further entry. They
 * bound what is read and held in memory.
 */
const STORED_BYTES = 128 * 1024;

/** The rows after which a transaction indexes no further entry. One entry may have 16,001. */
const ROWS = 5000;

/** Rows of the former generation that one transaction removes. */
const REMOVED_ROWS = 2000;

/**
 * One step of rebuilding a filter index. Writers maintain a second generation beside the one in use; then one
 * update switches readers to it, and the old rows are deleted. Readers read the generation and its rows in
 * one snapshot, so they are never blocked and never mix generations.
 *
 * @returns whether there is more to do
 */
export async function rebuildEntryIndex(tx: Transaction, workflow: WorkflowRow): Promise<boolean> {
  const ontologyId = String(workflow.subject['ontology_id']);
  switch (workflow.subject['phase'] ?? 'begin') {
    case 'begin':
      await beginGeneration(tx, ontologyId);
      return note(tx, workflow, { phase: 'build' });
    case 'build':
      return buildSome(tx, workflow, ontologyId);
    case 'switch':
      await switchOver(tx, ontologyId);
      return note(tx, workflow, { phase: 'clean' });
    default:
      return removeOldRows(tx, ontologyId);
  }
}

/** Stores the workflow's progress in its own row, which the caller holds locked. */
async function note(tx: Transaction, { workflow_id }: WorkflowRow, progress: JsonObject): Promise<true> {
  await tx.execute('UPDATE workflows SET subject = subject || $3 WHERE app_id = $1 AND workflow_id = $2', [
    tx.appId,
    workflow_id,
    JSON.stringify(progress),
  ]);
  return true;
}

/** Waits for the writers that began before the new generation; later ones write to it. */
async function beginGeneration(tx: Transaction, ontologyId: string): Promise<void> {
  await holdIndex(tx, ontologyId, 'FOR NO KEY UPDATE');
  await tx.execute(
    'UPDATE entry_indexes SET building = generation + 1 WHERE app_id = $1 AND ontology_id = $2',
    [tx.appId, ontologyId],
  );
}

/** Indexes the next entries by id, as many as fit. Their rows are locked against writers. */
async function buildSome(tx: Transaction, workflow: WorkflowRow, ontologyId: string): Promise<true> {
  const ontology = await findOntology(tx, ontologyId);
  const building = await buildingGeneration(tx, ontologyId);
  if (ontology === undefined || building === null) throw new Error('The index of a rebuild is gone.');
  let rows: IndexRow[] = [];
  let last: EntryRow | undefined;
  for (const entry of await nextEntries(tx, ontologyId, workflow.subject['built_to'] ?? null)) {
    if (rows.length >= ROWS) break;
    rows = rows.concat(indexRows(ontology.fields, entry));
    last = entry;
  }
  if (last === undefined) return note(tx, workflow, { phase: 'switch' });
  await writeIndexRows(tx, building, rows);
  return note(tx, workflow, { built_to: last.entry_id });
}

/** At least one, if there are more. What computes the sum cannot lock rows, so it is a statement inside. */
function nextEntries(tx: Transaction, ontologyId: string, after: JsonValue): Promise<EntryRow[]> {
  return tx.queryInOrder<EntryRow>(
    `SELECT ${ENTRY_COLUMNS} FROM entries e WHERE e.app_id = $1 AND e.entry_id = ANY (ARRAY(
       SELECT s.entry_id FROM (
         SELECT n.entry_id, sum(n.bytes) OVER (ORDER BY n.entry_id) - n.bytes AS before FROM (
           SELECT f.entry_id, pg_column_size(f.fields) AS bytes FROM entries f
            WHERE f.app_id = $1 AND f.ontology_id = $2 AND ($3::text IS NULL OR f.entry_id > $3)
            ORDER BY f.entry_id LIMIT ${ENTRIES}) n) s
        WHERE s.before < ${STORED_BYTES}))
     ORDER BY e.entry_id FOR SHARE`,
    [tx.appId, ontologyId, after],
  );
}

/** Needs no lock: only the steps of this workflow change it, one at a time. */
async function buildingGeneration(tx: Transaction, ontologyId: string): Promise<number | null> {
  const row = await tx.one<{ building: number | null }>(
    'SELECT building FROM entry_indexes WHERE app_id = $1 AND ontology_id = $2',
    [tx.appId, ontologyId],
  );
  return row?.building ?? null;
}

async function switchOver(tx: Transaction, ontologyId: string): Promise<void> {
  await holdIndex(tx, ontologyId, 'FOR NO KEY UPDATE');
  await tx.execute(
    `UPDATE entry_indexes SET generation = building, building = NULL WHERE app_id = $1 AND ontology_id = $2`,
    [tx.appId, ontologyId],
  );
}

async function removeOldRows(tx: Transaction, ontologyId: string): Promise<boolean> {
  const removed = await tx.execute(
    `DELETE FROM entry_filters WHERE ctid = ANY (ARRAY(
       SELECT f.ctid FROM entry_filters f JOIN entry_indexes i ON i.app_id = f.app_id
         AND i.ontology_id = f.ontology_id
        WHERE f.app_id = $1 AND f.ontology_id = $2 AND f.generation < i.generation LIMIT ${REMOVED_ROWS}))
          AND app_id = $1`,
    [tx.appId, ontologyId],
  );
  return removed === REMOVED_ROWS;
}
