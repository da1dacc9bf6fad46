import { getNullableType, isListType, isNonNullType, isObjectType } from 'graphql';
import type {
  FieldNode,
  GraphQLEnumType,
  GraphQLObjectType,
  GraphQLOutputType,
  SelectionSetNode,
} from 'graphql';
import type { Components } from './Components.js';
import { leafSchema } from './leafSchema.js';
import { restWords } from './restWords.js';
import type { JsonSchema } from './scalarSchema.js';

/** The JSON Schema of the REST answer of a selection: optional members are absent, never null. */
export function outputSchema(
  type: GraphQLOutputType,
  selection: SelectionSetNode | undefined,
  components: Components,
): JsonSchema {
  const nullable = getNullableType(type);
  if (isListType(nullable))
    return { type: 'array', items: outputSchema(nullable.ofType, selection, components) };
  if (!isObjectType(nullable) || selection === undefined)
    return leafSchema(nullable as GraphQLEnumType, components);
  return components.refer(nameOf(nullable), objectSchema(nullable, selection, components));
}

function objectSchema(
  type: GraphQLObjectType,
  selection: SelectionSetNode,
  components: Components,
): JsonSchema {
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const node of selection.selections as readonly FieldNode[]) {
    const field = type.getFields()[node.name.value];
    if (field === undefined) continue;
    const name = node.alias?.value ?? node.name.value;
    const schema = outputSchema(field.type, node.selectionSet, components);
    properties[name] = {
      ...schema,
      ...(field.description ? { description: restWords(field.description) } : {}),
      ...(field.deprecationReason ? { deprecated: true } : {}),
    };
    if (isNonNullType(field.type)) required.push(name);
  }
  const description = restWords(type.description ?? '');
  return { type: 'object', description, properties, ...(required.length > 0 ? { required } : {}) };
}

/** REST names for GraphQL's connections and payloads. */
function nameOf({ name }: GraphQLObjectType): string {
  if (name === 'PageInfo') return 'Pagination';
  return name.replace(/Connection$/, 'List').replace(/Payload$/, 'Result');
}
