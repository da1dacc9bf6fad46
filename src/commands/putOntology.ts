import { apps } from '../../entities/AppEntity.js';
import type { PutOntologyInput } from '../../schema/inputs/OntologyInput.js';
import type { PutOntologyPayload } from '../../schema/types/Ontology.js';
import type { Transaction } from '../database/Transaction.js';
import { fieldProblems } from '../domain/catalog/fieldProblems.js';
import { askedBy, assignSlots, incompatibilities, reusedLabel } from '../domain/catalog/nextVersion.js';
import { ONTOLOGY_ID } from '../domain/catalog/Ontology.js';
import type { FieldDefinition } from '../domain/catalog/Ontology.js';
import { canonicalJson } from '../domain/canonicalJson.js';
import { snakeCase } from '../domain/snakeCase.js';
import { conflict, validationFailed } from '../errors.js';
import type { ErrorDetail } from '../errors.js';
import { EVERY_APP, ontologies, toDomain, toOntology } from '../../entities/OntologyEntity.js';
import type { OntologyRow } from '../../entities/OntologyEntity.js';

/**
 * Defines an ontology or its next version, which may add fields and relax them. The transaction acts as the
 * operator (`admin`).
 *
 * @throws ServiceError 422 naming every problem; `conflict` when existing entries do not fit the new version
 */
export async function putOntology(
  tx: Transaction,
  { now }: { now: Date },
  id: string,
  input: PutOntologyInput,
): Promise<PutOntologyPayload> {
  const definition = definitionOf(input);
  const problems = [
    ...idProblems(id),
    ...definitionProblems(definition),
    ...(await appProblems(tx, input.appId)),
  ];
  if (problems.length > 0) throw validationFailed(problems);
  const created = await insertOntology(tx, now, id, definition);
  if (created !== undefined) return { status: 'created', ontology: toOntology(created) };
  return nextVersion(tx, now, id, definition);
}

interface Definition {
  appId: string | undefined;
  name: string;
  version: string;
  fields: FieldDefinition[];
  identityFields: string[];
}

function definitionOf(input: PutOntologyInput): Definition {
  return {
    appId: input.appId ?? undefined,
    name: input.name,
    version: input.version,
    fields: input.fields.map(({ name, type, required, label }) => ({
      name,
      type,
      required: required ?? false,
      ...(label ? { label } : {}),
    })),
    identityFields: input.identityFields ?? [],
  };
}

function idProblems(id: string): ErrorDetail[] {
  if (ONTOLOGY_ID.test(id)) return [];
  return [{ code: 'invalid_format', message: `must match ${ONTOLOGY_ID.source}`, field: 'ontology_id' }];
}

function definitionProblems(definition: Definition): ErrorDetail[] {
  return fieldProblems(definition).map(({ path, ...problem }) => ({ ...problem, field: snakeCase(path) }));
}

async function appProblems(tx: Transaction, appId: string | null | undefined): Promise<ErrorDetail[]> {
  if (!appId || (await apps.has(tx, { app_id: appId }))) return [];
  return [{ code: 'unknown_reference', message: 'is not an app', field: 'app_id' }];
}

async function insertOntology(
  tx: Transaction,
  now: Date,
  id: string,
  { appId, name, version, fields, identityFields }: Definition,
): Promise<OntologyRow | undefined> {
  return ontologies.insertNew(tx, {
    ontology_id: id,
    app_id: appId ?? EVERY_APP,
    name,
    version,
    fields: assignSlots([], fields),
    identity_fields: identityFields,
    used_versions: { [version]: askedBy(fields) },
    created_at: now,
    updated_at: now,
  });
}

async function nextVersion(
  tx: Transaction,
  now: Date,
  id: string,
  definition: Definition,
): Promise<PutOntologyPayload> {
  const key = { ontology_id: id };
  const row = await ontologies.find(tx, [...ontologies.columns, 'used_versions'], key, 'FOR NO KEY UPDATE');
  if (row === undefined) throw new Error('An ontology exists that cannot be read.');
  const known = toDomain(row);
  const former = known.version === definition.version ? {} : row.used_versions;
  const problems = [...incompatibilities(known, definition), ...reusedLabel(former, definition)];
  if (problems.length > 0)
    throw conflict('A new version may add fields and relax them, nothing else.', ...problems);
  const { appId: _appId, ...parts } = definition;
  const next = { ...parts, fields: assignSlots(known.fields, definition.fields) };
  const { name, version, fields, identityFields } = known;
  const same = canonicalJson(next) === canonicalJson({ name, version, fields, identityFields });
  if (same) return { status: 'unchanged', ontology: toOntology(row) };
  const change = {
    name: next.name,
    version: next.version,
    fields: next.fields,
    used_versions: {
      ...row.used_versions,
      // A row of the version before knows only its present label.
      [known.version]: askedBy(known.fields),
      [next.version]: askedBy(next.fields),
    },
    updated_at: now,
  };
  const updated = await ontologies.updateRow(tx, key, change);
  return { status: 'updated', ontology: toOntology(updated ?? row) };
}
