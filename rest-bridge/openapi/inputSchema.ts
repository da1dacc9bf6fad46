import { getNullableType, isEnumType, isInputObjectType, isListType, isNonNullType } from 'graphql';
import type { GraphQLInputObjectType, GraphQLInputType, GraphQLNamedType } from 'graphql';
import { constraintsOf } from '../../schema/constrained.js';
import type { Constraints } from '../../schema/constrained.js';
import { restSpelling } from '../../src/access/inputShape.js';
import { scalarSchema } from './scalarSchema.js';
import type { JsonSchema } from './scalarSchema.js';

/** The JSON Schema of a body or parameter, with the bounds that the service holds it to. */
export function inputSchema(type: GraphQLInputType, constraints: Constraints = {}): JsonSchema {
  const nullable = getNullableType(type);
  if (isListType(nullable)) {
    const { minItems, maxItems, ...ofItem } = constraints;
    return { type: 'array', items: inputSchema(nullable.ofType, ofItem), ...defined({ minItems, maxItems }) };
  }
  if (isInputObjectType(nullable)) return objectSchema(nullable);
  if (isEnumType(nullable)) return { type: 'string', enum: nullable.getValues().map(({ value }) => value as unknown) };
  const { minLength, maxLength, minimum, maximum, pattern } = constraints;
  const bounds = defined({ minLength, maxLength, minimum, maximum, pattern: pattern?.source });
  return { ...scalarSchema(nullable as GraphQLNamedType), ...bounds };
}

function objectSchema(type: GraphQLInputObjectType): JsonSchema {
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const field of Object.values(type.getFields())) {
    const name = restSpelling.nameOf(field.name);
    const described = inputSchema(field.type, constraintsOf(field));
    properties[name] = field.description ? { ...described, description: field.description } : described;
    if (isNonNullType(field.type)) required.push(name);
  }
  return { type: 'object', properties, additionalProperties: false, ...(required.length > 0 ? { required } : {}) };
}

function defined(bounds: Record<string, unknown>): JsonSchema {
  return Object.fromEntries(Object.entries(bounds).filter(([, value]) => value !== undefined));
}
