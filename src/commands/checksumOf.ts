import type { EntryContent } from '../../entities/EntryEntity.js';
import type { EntryMedia } from '../../schema/types/Entry.js';
import { entryChecksum } from '../domain/catalog/entryChecksum.js';
import type { Ontology } from '../domain/catalog/Ontology.js';
import type { JsonObject } from '../domain/jsonValue.js';

/** The checksum uses the names of the REST interface, so a partner can compute it from what it sent. */
export function checksumOf(ontology: Ontology, { entryName, fields, value, media }: EntryContent): string {
  return entryChecksum({
    ontology: ontology.id,
    entry_name: entryName,
    fields,
    value,
    media: restMedia(media),
  });
}

function restMedia(media: EntryMedia | null): JsonObject | null {
  if (media === null) return null;
  return {
    ...(media.primaryImage ? { primary_image: media.primaryImage } : {}),
    ...(media.gallery ? { gallery: media.gallery } : {}),
  };
}
