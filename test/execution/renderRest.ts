import { getNamedType, getNullableType, isEnumType, isListType, isObjectType } from 'graphql';
import type {
  DocumentNode,
  FieldNode,
  GraphQLOutputType,
  GraphQLSchema,
  OperationDefinitionNode,
  SelectionSetNode,
} from 'graphql';

/**
 * The answer of REST for a result of graphql-js, as objects: members without a value are absent, enum values
 * are in lower case, free-form values are as they are.
 */
export function renderRest(schema: GraphQLSchema, document: DocumentNode, result: unknown): unknown {
  const [operation] = document.definitions as readonly OperationDefinitionNode[];
  const [node] = (operation?.selectionSet.selections ?? []) as readonly FieldNode[];
  const fields = operation && schema.getRootType(operation.operation)?.getFields();
  const field = node && fields?.[node.name.value];
  if (node === undefined || field === undefined) throw new Error('The operation has no root field.');
  return render(field.type, node.selectionSet, result);
}

function render(type: GraphQLOutputType, selection: SelectionSetNode | undefined, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  const nullable = getNullableType(type);
  if (isListType(nullable))
    return (value as unknown[]).map((item) => render(nullable.ofType, selection, item));
  if (isEnumType(getNamedType(nullable))) return (value as string).toLowerCase();
  if (!isObjectType(nullable) || selection === undefined) return value;
  const members = (selection.selections as readonly FieldNode[]).flatMap((node) => {
    const name = (node.alias ?? node.name).value;
    const field = nullable.getFields()[node.name.value];
    if (field === undefined) throw new Error(`${nullable.name} has no field ${node.name.value}.`);
    const member = render(field.type, node.selectionSet, (value as Record<string, unknown>)[name]);
    return member === null ? [] : [[name, member] as const];
  });
  return Object.fromEntries(members);
}
