import { derivedId } from '../ids.js';
import type { JsonObject, JsonValue } from '../jsonValue.js';
import { canonicalJson } from '../canonicalJson.js';
import { valueOf } from './entryFields.js';
import { canonicalFieldValue } from './fieldValue.js';
import type { Ontology } from './Ontology.js';

/** Ids that a caller may choose (docs/contract.md#vocabulary). */
export const ENTRY_ID = /^[A-Za-z0-9._:-]{1,128}$/;

/** The id derived from the identity fields, equal for equal values; undefined unless all are present. */
export function derivedEntryId(appId: string, ontology: Ontology, fields: JsonObject): string | undefined {
  const values = ontology.identityFields.map((name) => identityValue(ontology, fields, name));
  if (values.length === 0 || values.includes(undefined)) return undefined;
  return derivedId('ent', canonicalJson([appId, ontology.id, values]));
}

/** Identity fields with a value that `next` changes or removes. */
export function changedIdentity(ontology: Ontology, before: JsonObject, next: JsonObject): string[] {
  return ontology.identityFields.filter((name) => {
    const value = identityValue(ontology, before, name);
    return (
      value !== undefined &&
      canonicalJson(value) !== canonicalJson(identityValue(ontology, next, name) ?? null)
    );
  });
}

function identityValue(ontology: Ontology, fields: JsonObject, name: string): JsonValue | undefined {
  const value = valueOf(fields, name);
  const field = ontology.fields.find((candidate) => candidate.name === name);
  return value === undefined || field === undefined ? value : canonicalFieldValue(field.type, value);
}
