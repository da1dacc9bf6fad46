import type { Entry, EntryMedia } from '../../schema/types/Entry.js';
import { entryChecksum } from '../domain/catalog/entryChecksum.js';
import { fromSlots } from '../domain/catalog/entryFields.js';
import type { Ontology, OntologyField } from '../domain/catalog/Ontology.js';
import type { JsonObject } from '../domain/jsonValue.js';

/** What an entry says, by readable names. Null: nothing. */
export interface EntryContent {
  entryName: string | null;
  ownerId: string | null;
  ingestionOrigin: string | null;
  fields: JsonObject;
  value: number | null;
  imageUploadStatus: string | null;
  media: EntryMedia | null;
}

export interface EntryRow extends Record<string, unknown> {
  entry_id: string;
  ontology_id: string;
  entry_name: string | null;
  owner_id: string | null;
  ingestion_origin: string | null;
  /** By slots. */
  fields: JsonObject;
  value: number | null;
  image_upload_status: string | null;
  media: EntryMedia | null;
  checksum: string;
  created_at: string;
  updated_at: string;
}

export const ENTRY_COLUMNS = `e.entry_id, e.ontology_id, e.entry_name, e.owner_id, e.ingestion_origin, e.fields, e.value,
  e.image_upload_status, e.media, e.checksum, e.created_at, e.updated_at`;

export function toEntry(row: EntryRow, map: readonly OntologyField[]): Entry {
  return {
    entryId: row.entry_id,
    ontology: row.ontology_id,
    ...contentOf(row, map),
    checksum: row.checksum,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

export function contentOf(row: EntryRow, map: readonly OntologyField[]): EntryContent {
  return {
    entryName: row.entry_name,
    ownerId: row.owner_id,
    ingestionOrigin: row.ingestion_origin,
    fields: fromSlots(map, row.fields),
    value: row.value,
    imageUploadStatus: row.image_upload_status,
    media: row.media,
  };
}

/** The checksum is over the names of the REST interface, so that a partner can compute it from what it sent. */
export function checksumOf(ontology: Ontology, { entryName, fields, value, media }: EntryContent): string {
  return entryChecksum({ ontology: ontology.id, entry_name: entryName, fields, value, media: restMedia(media) });
}

function restMedia(media: EntryMedia | null): JsonObject | null {
  if (media === null) return null;
  return {
    ...(media.primaryImage ? { primary_image: media.primaryImage } : {}),
    ...(media.gallery ? { gallery: media.gallery } : {}),
  };
}
