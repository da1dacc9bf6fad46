import { isJsonObject } from '../jsonValue.js';

interface FieldProblem {
  /** The place within the definition: `fields[1].name`, `identityFields[0]`. */
  path: string;
  code: string;
  message: string;
}

/**
 * Names of fields that stand twice, and identity fields that are none of the fields or stand twice. The
 * definition may have any shape: what is no list or no name is left to other rules.
 */
export function fieldProblems(definition: { fields?: unknown; identityFields?: unknown }): FieldProblem[] {
  const fields = listOf(definition.fields);
  const names = fields?.map((field) => (isJsonObject(field) ? field['name'] : undefined)) ?? [];
  const identity = listOf(definition.identityFields) ?? [];
  return [
    ...duplicates(names, (index) => `fields[${index}].name`, 'is the name of another field already'),
    ...(fields === undefined ? [] : unknownNames(identity, new Set(names))),
    ...duplicates(identity, identityPath, 'is named twice'),
  ];
}

function listOf(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) ? value : undefined;
}

function identityPath(index: number): string {
  return `identityFields[${index}]`;
}

function duplicates(
  names: readonly unknown[],
  pathOf: (index: number) => string,
  message: string,
): FieldProblem[] {
  const seen = new Set<string>();
  return names.flatMap((name, index) => {
    if (typeof name !== 'string') return [];
    if (seen.has(name)) return [{ path: pathOf(index), code: 'duplicate', message }];
    seen.add(name);
    return [];
  });
}

function unknownNames(identity: readonly unknown[], names: ReadonlySet<unknown>): FieldProblem[] {
  return identity.flatMap((name, index) =>
    typeof name !== 'string' || names.has(name)
      ? []
      : [{ path: identityPath(index), code: 'unknown_field', message: 'is not one of the fields' }],
  );
}
