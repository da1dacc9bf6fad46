import { Kind, visit } from 'graphql';
import type { DocumentNode, SelectionSetNode, ValueNode } from 'graphql';

/**
 * Refuses documents that graphql-jit must not compile, or executes differently from graphql-js. Differences
 * that only show at run time are handled by `runExactly`.
 *
 * - It writes literals into the generated code and marks dates and infinities among them by texts that begin
 *   with `__MAGIC_`: a client's string of that form would be run as code.
 * - A name `__proto__` is lost.
 * - A variable within a literal list or object is not coerced as a part of it.
 * - A condition is stored with its field's node: wrong where a fragment is spread twice or two nodes make one
 *   field.
 *
 * @throws Error naming the reason
 */
export function refuseDeviations(document: DocumentNode): void {
  visit(document, {
    [Kind.STRING]: ({ value }) => refuseMark(value),
    [Kind.NAME]: ({ value }) => {
      refuseMark(value);
      if (value === '__proto__') throw new Error('A name is __proto__.');
    },
    [Kind.LIST]: ({ values }) => refuseVariables(values),
    [Kind.OBJECT]: ({ fields }) => refuseVariables(fields.map(({ value }) => value)),
  });
  if (hasConditions(document)) refuseSharedNodes(document);
}

function refuseMark(text: string): void {
  if (text.includes('__MAGIC_')) throw new Error('A text would become code.');
}

function refuseVariables(values: readonly ValueNode[]): void {
  if (values.some(({ kind }) => kind === Kind.VARIABLE)) throw new Error('A literal contains a variable.');
}

function hasConditions(document: DocumentNode): boolean {
  let found = false;
  visit(document, {
    [Kind.DIRECTIVE]: () => {
      found = true;
    },
  });
  return found;
}

function refuseSharedNodes(document: DocumentNode): void {
  visit(document, {
    [Kind.FRAGMENT_DEFINITION]: () => {
      throw new Error('A condition stands beside a fragment.');
    },
    [Kind.SELECTION_SET]: (set) => {
      const keys = keysOf(set);
      if (new Set(keys).size < keys.length)
        throw new Error('A condition stands beside a field of several nodes.');
    },
  });
}

function keysOf({ selections }: SelectionSetNode): string[] {
  return selections.flatMap((node) => {
    if (node.kind === Kind.FIELD) return [(node.alias ?? node.name).value];
    return node.kind === Kind.INLINE_FRAGMENT ? keysOf(node.selectionSet) : [];
  });
}
