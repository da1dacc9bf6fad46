import { hash } from 'node:crypto';
import type { ErrorDetail } from '../../errors.js';
import type { FieldDefinition, Ontology, OntologyField } from './Ontology.js';

/** Names of the slots of entries: `f1`, `f2`, … in the order in which fields were first defined. */
export const SLOT_FAMILY = 'f';

/** A field's slot is permanent: known fields keep theirs, new ones get the next numbers. */
export function assignSlots(
  known: readonly OntologyField[],
  fields: readonly FieldDefinition[],
): OntologyField[] {
  const slots = new Map(known.map(({ name, slot }) => [name, slot]));
  let last = known.reduce((most, { slot }) => Math.max(most, Number(slot.slice(SLOT_FAMILY.length))), 0);
  return fields.map((field) => ({ ...field, slot: slots.get(field.name) ?? `${SLOT_FAMILY}${(last += 1)}` }));
}

/**
 * Why `next` cannot follow `known`: a new version may only add fields and make them optional, and the same
 * version has the same fields (docs/contract.md#entries-and-ontologies).
 */
export function incompatibilities(
  known: Ontology,
  next: Pick<Ontology, 'appId' | 'identityFields' | 'version'> & { fields: readonly FieldDefinition[] },
): ErrorDetail[] {
  const byName = new Map(next.fields.map((field, index) => [field.name, { field, index }]));
  const problems = known.fields.flatMap((before) => fieldProblems(before, byName.get(before.name)));
  if (known.identityFields.join('\n') !== next.identityFields.join('\n'))
    problems.push({
      code: 'identity_changed',
      message: 'cannot change once entries may have been derived from them',
      field: 'identity_fields',
    });
  if (known.appId !== next.appId)
    problems.push({ code: 'app_changed', message: 'cannot change after creation', field: 'app_id' });
  return known.version === next.version ? [...problems, ...grownFields(known, next.fields)] : problems;
}

/** A hash of what a version asks of entries: its fields, whatever their order and labels. */
export function askedBy(fields: readonly FieldDefinition[]): string {
  const asked = fields.map(({ name, type, required }) => JSON.stringify([name, type, required]));
  return hash('sha256', asked.toSorted().join('\n'), 'base64url');
}

/** Why a label cannot be used again: the version that had it asked something else. */
export function reusedLabel(
  used: Readonly<Record<string, string>>,
  { version, fields }: { version: string; fields: readonly FieldDefinition[] },
): ErrorDetail[] {
  if (!Object.hasOwn(used, version) || used[version] === askedBy(fields)) return [];
  const message = `version ${version} had other fields; give this a new version`;
  return [{ code: 'version_unchanged', message, field: 'version' }];
}

/** Fields that were added or relaxed. */
function grownFields({ version, fields }: Ontology, next: readonly FieldDefinition[]): ErrorDetail[] {
  const required = new Map(fields.map((field) => [field.name, field.required]));
  return next.flatMap((field, index) => {
    const before = required.get(field.name);
    if (before === false || before === field.required) return [];
    const difference = before === undefined ? 'has no field' : 'requires the field';
    const message = `version ${version} ${difference} ${field.name}; give this a new version`;
    return [{ code: 'version_unchanged', message, field: `fields[${index}]` }];
  });
}

function fieldProblems(
  before: OntologyField,
  after: { field: FieldDefinition; index: number } | undefined,
): ErrorDetail[] {
  if (after === undefined)
    return [
      { code: 'field_removed', message: `the field ${before.name} cannot be removed`, field: 'fields' },
    ];
  const { field, index } = after;
  if (field.type !== before.type) {
    const message = `the type of ${before.name} is ${before.type} and cannot change`;
    return [{ code: 'type_changed', message, field: `fields[${index}].type` }];
  }
  if (!field.required || before.required) return [];
  const message = `${before.name} is optional and cannot become required`;
  return [{ code: 'requirement_tightened', message, field: `fields[${index}].required` }];
}
