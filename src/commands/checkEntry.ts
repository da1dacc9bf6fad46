import type { CreateEntryInput } from '../../schema/inputs/EntryInput.js';
import type { Transaction } from '../database/Transaction.js';
import { changedIdentity } from '../domain/catalog/entryIdentity.js';
import { entryFieldProblems } from '../domain/catalog/entryFields.js';
import type { Ontology } from '../domain/catalog/Ontology.js';
import type { JsonObject } from '../domain/jsonValue.js';
import { withoutNulls } from '../domain/mergePatch.js';
import { conflict, validationFailed } from '../errors.js';
import type { ErrorDetail } from '../errors.js';
import { contentOf } from '../../entities/EntryEntity.js';
import type { EntryContent, EntryRow } from '../../entities/EntryEntity.js';
import { findOntology } from './findOntology.js';

/** @throws ServiceError 422 when the app sees no such ontology */
export async function requireOntology(tx: Transaction, id: string): Promise<Ontology> {
  const ontology = await findOntology(tx, id);
  if (ontology !== undefined) return ontology;
  throw validationFailed([
    { code: 'unknown_reference', message: 'is not an ontology of this app', field: 'ontology' },
  ]);
}

/** What an input says; what it leaves out is taken from `rest`. */
export function contentFrom(input: CreateEntryInput, rest: EntryContent): EntryContent {
  const pick = <T>(given: T | null | undefined, otherwise: T | null): T | null =>
    given === undefined ? otherwise : given;
  const media = pick(input.media, rest.media);
  return {
    entryName: pick(input.entryName, rest.entryName),
    ownerId: pick(input.ownerId, rest.ownerId),
    ingestionOrigin: pick(input.ingestionOrigin, rest.ingestionOrigin),
    fields: givenFields(input.fields) ?? rest.fields,
    value: pick(input.value, rest.value),
    imageUploadStatus: pick(input.imageUploadStatus, rest.imageUploadStatus),
    media: media === null ? null : (withoutNulls(media as JsonObject) as EntryContent['media']),
  };
}

/** Removes fields of the top level that are null. Other values stay unchanged. */
function givenFields(fields: JsonObject | null | undefined): JsonObject | undefined {
  if (fields === undefined) return undefined;
  return Object.fromEntries(Object.entries(fields ?? {}).filter(([, value]) => value !== null));
}

export const NO_CONTENT: EntryContent = {
  entryName: null,
  ownerId: null,
  ingestionOrigin: null,
  fields: {},
  value: null,
  imageUploadStatus: null,
  media: null,
};

/**
 * @param others problems found already, reported together with those of the fields
 * @throws ServiceError 422 naming every problem
 */
export function requireValid(
  ontology: Ontology,
  content: EntryContent,
  others: readonly ErrorDetail[] = [],
): void {
  const problems = [...others, ...entryFieldProblems(ontology.fields, content.fields)];
  if (problems.length > 0) throw validationFailed(problems);
}

/** @throws ServiceError `conflict` when the entry is of another ontology or its identity would change */
export function requireSameIdentity(ontology: Ontology, known: EntryRow, content: EntryContent): void {
  if (known.ontology_id !== ontology.id)
    throw conflict('The entry follows another ontology.', {
      code: 'ontology_changed',
      message: `is ${known.ontology_id} and cannot change`,
      field: 'ontology',
    });
  const changed = changedIdentity(ontology, contentOf(known, ontology.fields).fields, content.fields);
  if (changed.length === 0) return;
  const details = changed.map((name) => ({
    code: 'identity_changed',
    message: 'is an identity field and cannot change',
    field: `fields.${name}`,
  }));
  throw conflict("The entry's identity fields cannot change.", ...details);
}
