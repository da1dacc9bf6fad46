import { hash } from 'node:crypto';
import type { EntryContent } from '../../entities/EntryEntity.js';
import type { EntryMedia } from '../../schema/types/Entry.js';
import type { Ontology } from '../domain/catalog/Ontology.js';
import type { JsonObject, JsonValue } from '../domain/jsonValue.js';
import { canonicalJson } from '../domain/canonicalJson.js';

/**
 * `sha256:` + hex over the RFC 8785 form of the entry, absent members left out. It uses the names of the REST
 * interface, so a partner can compute it from what it sent (docs/contract.md#entries-and-ontologies).
 */
export function checksumOf(ontology: Ontology, { entryName, fields, value, media }: EntryContent): string {
  const parts = { ontology: ontology.id, entry_name: entryName, fields, value, media: restMedia(media) };
  const present = Object.entries<JsonValue>(parts).filter(([, part]) => part !== null);
  const text = canonicalJson(Object.fromEntries(present));
  return `sha256:${hash('sha256', text, 'hex')}`;
}

function restMedia(media: EntryMedia | null): JsonObject | null {
  if (media === null) return null;
  return {
    ...(media.primaryImage ? { primary_image: media.primaryImage } : {}),
    ...(media.gallery ? { gallery: media.gallery } : {}),
  };
}
