import type { Entry, EntryPayload } from '../../schema/types/Entry.js';
import { announce } from '../database/outbox.js';
import type { Transaction } from '../database/Transaction.js';
import { fromSlots, toSlots } from '../domain/catalog/entryFields.js';
import type { Ontology } from '../domain/catalog/Ontology.js';
import { canonicalJson } from '../domain/canonicalJson.js';
import type { CommandContext } from './CommandContext.js';
import { holdIndex, indexNew, reindex } from './entryIndex.js';
import { checksumOf } from './checksumOf.js';
import { timeOfChange } from './timeOfChange.js';
import { contentOf, ENTRY_COLUMNS, toEntry } from '../../entities/EntryEntity.js';
import type { EntryContent, EntryRow } from '../../entities/EntryEntity.js';

/** Locks an entry of the transaction's app. */
export function lockEntry(tx: Transaction, entryId: string): Promise<EntryRow | undefined> {
  return tx.one<EntryRow>(
    `SELECT ${ENTRY_COLUMNS} FROM entries e WHERE e.app_id = $1 AND e.entry_id = $2 FOR NO KEY UPDATE`,
    [tx.appId, entryId],
  );
}

/** Stores a new entry. Undefined when its id already exists. */
export async function insertEntry(
  tx: Transaction,
  { clock }: CommandContext,
  entryId: string,
  ontology: Ontology,
  content: EntryContent,
): Promise<EntryPayload | undefined> {
  const index = await holdIndex(tx, ontology.id, 'FOR SHARE');
  const now = clock();
  const row = await tx.one<EntryRow>(
    `INSERT INTO entries AS e (app_id, entry_id, ontology_id, entry_name, owner_id, ingestion_origin, fields,
      value, image_upload_status,
       media, checksum, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12)
     ON CONFLICT (app_id, entry_id) DO NOTHING RETURNING ${ENTRY_COLUMNS}`,
    [tx.appId, entryId, ontology.id, ...columnsOf(ontology, content), now],
  );
  if (row === undefined) return undefined;
  await indexNew(tx, index, ontology.fields, row);
  report(tx, 'entry.created', row, now);
  return { status: 'created', entry: entryOf(row, ontology) };
}

/** Stores new content of an entry. The caller has locked its row. */
export async function updateEntry(
  tx: Transaction,
  { clock }: CommandContext,
  known: EntryRow,
  ontology: Ontology,
  content: EntryContent,
): Promise<EntryPayload> {
  const same = canonicalJson(contentOf(known, ontology.fields)) === canonicalJson(content);
  if (same) return { status: 'unchanged', entry: entryOf(known, ontology) };
  const index = await holdIndex(tx, ontology.id, 'FOR SHARE');
  const now = timeOfChange(clock(), known.updated_at);
  const row = await tx.one<EntryRow>(
    `UPDATE entries AS e SET entry_name = $3, owner_id = $4, ingestion_origin = $5, fields = $6, value = $7,
      image_upload_status = $8,
       media = $9, checksum = $10, updated_at = $11 WHERE app_id = $1 AND entry_id = $2
         RETURNING ${ENTRY_COLUMNS}`,
    [tx.appId, known.entry_id, ...columnsOf(ontology, content), now],
  );
  if (row === undefined) throw new Error('The entry vanished while it was locked.');
  await reindex(tx, index, ontology.fields, known, row);
  report(tx, 'entry.updated', row, now);
  return { status: 'updated', entry: entryOf(row, ontology) };
}

function entryOf(row: EntryRow, { fields }: Ontology): Entry {
  return toEntry(row, fromSlots(fields, row.fields));
}

function columnsOf(ontology: Ontology, content: EntryContent): unknown[] {
  return [
    content.entryName,
    content.ownerId,
    content.ingestionOrigin,
    JSON.stringify(toSlots(ontology.fields, content.fields)),
    content.value,
    content.imageUploadStatus,
    content.media === null ? null : JSON.stringify(content.media),
    checksumOf(ontology, content),
  ];
}

function report(tx: Transaction, type: 'entry.created' | 'entry.updated', row: EntryRow, now: Date): void {
  announce(tx, {
    type,
    data: { entry_id: row.entry_id, ontology: row.ontology_id, checksum: row.checksum },
    at: now,
  });
}
