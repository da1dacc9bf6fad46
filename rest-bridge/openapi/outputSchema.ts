import { getNullableType, isEnumType, isListType, isNonNullType, isObjectType } from 'graphql';
import type { FieldNode, GraphQLNamedType, GraphQLOutputType, SelectionSetNode } from 'graphql';
import { scalarSchema } from './scalarSchema.js';
import type { JsonSchema } from './scalarSchema.js';

/** The JSON Schema of what a selection answers by REST: optional members are absent, never null. */
export function outputSchema(type: GraphQLOutputType, selection: SelectionSetNode | undefined): JsonSchema {
  const nullable = getNullableType(type);
  if (isListType(nullable)) return { type: 'array', items: outputSchema(nullable.ofType, selection) };
  if (isEnumType(nullable)) return { type: 'string', enum: nullable.getValues().map(({ value }) => value as unknown) };
  if (!isObjectType(nullable) || selection === undefined) return scalarSchema(nullable as GraphQLNamedType);
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const node of selection.selections as readonly FieldNode[]) {
    const field = nullable.getFields()[node.name.value];
    if (field === undefined) continue;
    const name = node.alias?.value ?? node.name.value;
    const described = outputSchema(field.type, node.selectionSet);
    properties[name] = field.description ? { ...described, description: field.description } : described;
    if (isNonNullType(field.type)) required.push(name);
  }
  return { type: 'object', properties, ...(required.length > 0 ? { required } : {}) };
}
