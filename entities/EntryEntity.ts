import { Check, Entity, ForeignKey, Index } from 'typeorm';
import { AppEntity } from './AppEntity.js';
import { OntologyEntity } from './OntologyEntity.js';
import type { Entry, EntryMedia } from '../schema/types/Entry.js';
import { fromSlots } from '../src/domain/catalog/entryFields.js';
import type { OntologyField } from '../src/domain/catalog/Ontology.js';
import type { JsonObject } from '../src/domain/jsonValue.js';
import { Double, Json, Key, Text, Time } from './columns.js';
import { columnsOf } from './rowOf.js';
import type { RowOf } from './rowOf.js';
import { OfApp } from './OfApp.js';

/** A catalog entry. Its fields are stored under the slots of its ontology. */
@Entity({ name: 'entries' })
@Check(
  'entries_image_upload_status_check',
  "image_upload_status = ANY (ARRAY['uploaded'::text, 'staged'::text, 'missing'::text])",
)
@ForeignKey(() => AppEntity, ['appId'], ['appId'])
@ForeignKey(() => OntologyEntity, ['ontologyId'], ['ontologyId'])
@Index('entries_list_idx', ['appId', 'createdAt', 'entryId'])
@Index('entries_ontology_idx', ['appId', 'ontologyId', 'createdAt', 'entryId'])
export class EntryEntity extends OfApp {
  @Key() entryId: string;
  @Text() ontologyId: string;
  @Text({ nullable: true }) entryName: string | null;
  @Text({ nullable: true }) ownerId: string | null;
  @Text({ nullable: true }) ingestionOrigin: string | null;
  @Json() fields: JsonObject;
  @Double({ nullable: true }) value: number | null;
  @Text({ nullable: true }) imageUploadStatus: string | null;
  @Json({ nullable: true }) media: EntryMedia | null;
  @Text() checksum: string;
  @Time() createdAt: Date;
  @Time() updatedAt: Date;
}

/** The content of an entry, by readable names. Null: empty. */
export interface EntryContent {
  entryName: string | null;
  ownerId: string | null;
  ingestionOrigin: string | null;
  fields: JsonObject;
  value: number | null;
  imageUploadStatus: string | null;
  media: EntryMedia | null;
}

export type EntryRow = RowOf<EntryEntity>;

/** `e` is the entry. */
export const ENTRY_COLUMNS = columnsOf(EntryEntity, 'e');

/** The fields of an entry `e` by the names that its ontology `o` gives their slots, as text. */
const NAMED_FIELDS = `(
 SELECT '{' || coalesce(string_agg(to_json(m.field ->> 'name') || ': ' || s.value, ', ' ORDER BY m.place), '') || '}'
   FROM jsonb_each(e.fields) s
   JOIN jsonb_array_elements(o.fields) WITH ORDINALITY AS m (field, place) ON m.field ->> 'slot' = s.key
  WHERE jsonb_typeof(s.value) <> 'null')`;

/** The columns for reads, which insert `fields` into the answer as they are stored. */
export const READ_ENTRY_COLUMNS = ENTRY_COLUMNS.replace('e.fields', `${NAMED_FIELDS} AS fields`);

export type ReadEntryRow = Omit<EntryRow, 'fields'> & { fields: string };

export function toEntry(row: Omit<EntryRow, 'fields'>, fields: Entry['fields']): Entry {
  return {
    entryId: row.entry_id,
    ontology: row.ontology_id,
    ...plainContentOf(row),
    fields,
    checksum: row.checksum,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

export function contentOf(row: EntryRow, map: readonly OntologyField[]): EntryContent {
  return { ...plainContentOf(row), fields: fromSlots(map, row.fields) };
}

function plainContentOf(row: Omit<EntryRow, 'fields'>): Omit<EntryContent, 'fields'> {
  return {
    entryName: row.entry_name,
    ownerId: row.owner_id,
    ingestionOrigin: row.ingestion_origin,
    value: row.value,
    imageUploadStatus: row.image_upload_status,
    media: row.media,
  };
}
