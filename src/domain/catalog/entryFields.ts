import type { ErrorDetail } from '../../errors.js';
import type { JsonObject, JsonValue } from '../jsonValue.js';
import { fieldValueProblem } from './fieldValue.js';
import type { OntologyField } from './Ontology.js';

/** Every problem of an entry's fields against their definitions, with paths like `fields.color`. */
export function entryFieldProblems(map: readonly OntologyField[], fields: JsonObject): ErrorDetail[] {
  const known = new Set(map.map(({ name }) => name));
  const unknown = Object.keys(fields)
    .filter((name) => !known.has(name))
    .map((name) => ({
      code: 'unknown_field',
      message: 'is not a field of this ontology',
      field: `fields.${name}`,
    }));
  return [...map.flatMap((field) => fieldProblem(field, valueOf(fields, field.name))), ...unknown];
}

function fieldProblem({ name, type, required }: OntologyField, value: JsonValue | undefined): ErrorDetail[] {
  if (value === undefined)
    return required ? [{ code: 'required', message: 'is required', field: `fields.${name}` }] : [];
  const message = fieldValueProblem(type, value);
  return message === undefined ? [] : [{ code: 'invalid_type', message, field: `fields.${name}` }];
}

/** The value of a field; null and absent mean the same. */
export function valueOf(fields: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(fields, name) ? (fields[name] ?? undefined) : undefined;
}

/** Readable names to compact slots. Unknown names are dropped. */
export function toSlots(map: readonly OntologyField[], fields: JsonObject): JsonObject {
  return Object.fromEntries(
    map.flatMap(({ name, slot }) => {
      const value = valueOf(fields, name);
      return value === undefined ? [] : [[slot, value]];
    }),
  );
}

/** Compact slots to readable names. */
export function fromSlots(map: readonly OntologyField[], slots: JsonObject): JsonObject {
  return Object.fromEntries(
    map.flatMap(({ name, slot }) => {
      const value = valueOf(slots, slot);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
