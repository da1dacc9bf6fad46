import { getNullableType, isListType, isNonNullType, isObjectType, Kind } from 'graphql';
import type {
  DocumentNode,
  FieldNode,
  FragmentDefinitionNode,
  GraphQLOutputType,
  GraphQLSchema,
  SelectionSetNode,
} from 'graphql';

/**
 * The place where an error becomes a null: its own, or the nearest above it that may be null. Empty for the
 * whole answer.
 */
export function caughtAt(
  schema: GraphQLSchema,
  document: DocumentNode,
  path: readonly (string | number)[],
): string {
  const [operation] = document.definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  let sets = operation?.kind === Kind.OPERATION_DEFINITION ? [operation.selectionSet] : [];
  let type: GraphQLOutputType | undefined = schema.getQueryType() ?? undefined;
  let caught = 0;
  for (const [depth, step] of path.entries()) {
    const nodes = typeof step === 'string' ? sets.flatMap((set) => fieldsOf(document, set, step)) : [];
    type = typeof step === 'number' ? itemType(type) : fieldType(type, nodes);
    if (typeof step === 'string') sets = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
    if (!isNonNullType(type)) caught = depth + 1;
    type = getNullableType(type);
  }
  return path.slice(0, caught).join('.');
}

function itemType(type: GraphQLOutputType | undefined): GraphQLOutputType {
  if (!isListType(type)) throw new Error('The path has an index where there is no list.');
  return type.ofType;
}

function fieldType(type: GraphQLOutputType | undefined, [node]: readonly FieldNode[]): GraphQLOutputType {
  const field = isObjectType(type) && node !== undefined ? type.getFields()[node.name.value] : undefined;
  if (field === undefined) throw new Error('The path names a field that the operation does not select.');
  return field.type;
}

function fieldsOf(document: DocumentNode, { selections }: SelectionSetNode, key: string): FieldNode[] {
  return selections.flatMap((node) => {
    if (node.kind === Kind.FIELD) return (node.alias ?? node.name).value === key ? [node] : [];
    const set = node.kind === Kind.INLINE_FRAGMENT ? node : fragment(document, node.name.value);
    return fieldsOf(document, set.selectionSet, key);
  });
}

function fragment({ definitions }: DocumentNode, name: string): FragmentDefinitionNode {
  const found = definitions.find(
    (node) => node.kind === Kind.FRAGMENT_DEFINITION && node.name.value === name,
  );
  if (found?.kind !== Kind.FRAGMENT_DEFINITION) throw new Error(`There is no fragment ${name}.`);
  return found;
}
