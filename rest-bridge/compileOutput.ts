import { getNamedType, getNullableType, isEnumType, isListType, isObjectType } from 'graphql';
import type { FieldNode, GraphQLObjectType, GraphQLOutputType, SelectionSetNode } from 'graphql';

type Render = (value: unknown) => unknown;

/**
 * Compiles the conversion of a result to REST: members without a value are omitted, enum values become lower
 * case, free-form values are unchanged. Created once per route from its selection set.
 */
export function compileOutput(type: GraphQLOutputType, selection: SelectionSetNode | undefined): Render {
  const nullable = getNullableType(type);
  if (isListType(nullable)) {
    const item = compileOutput(nullable.ofType, selection);
    return (value) => (value as unknown[]).map((entry) => (entry === null ? null : item(entry)));
  }
  if (isObjectType(nullable) && selection !== undefined) return compileObject(nullable, selection);
  if (isEnumType(getNamedType(nullable))) return (value) => (value as string).toLowerCase();
  return (value) => value;
}

function compileObject(type: GraphQLObjectType, selection: SelectionSetNode): Render {
  const members = selection.selections.map((node) => compileMember(type, node as FieldNode));
  return (value) => {
    const source = value as Record<string, unknown>;
    const result: Record<string, unknown> = {};
    for (const { name, render } of members) {
      const member = source[name];
      if (member !== null && member !== undefined) result[name] = render(member);
    }
    return result;
  };
}

function compileMember(type: GraphQLObjectType, node: FieldNode): { name: string; render: Render } {
  const field = type.getFields()[node.name.value];
  if (field === undefined) throw new Error(`${type.name} has no field ${node.name.value}.`);
  return { name: node.alias?.value ?? node.name.value, render: compileOutput(field.type, node.selectionSet) };
}
