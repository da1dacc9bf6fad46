import type { GraphQLNamedType } from 'graphql';
import { ALL_SCOPES } from '../../src/domain/scopes.js';

export type JsonSchema = { [keyword: string]: unknown };

const SCALARS: Record<string, JsonSchema> = {
  ID: { type: 'string' },
  String: { type: 'string' },
  Int: { type: 'integer', format: 'int32' },
  Float: { type: 'number' },
  Boolean: { type: 'boolean' },
  DateTime: { type: 'string', format: 'date-time' },
  JSONObject: { type: 'object', additionalProperties: true },
  Scope: { type: 'string', enum: ALL_SCOPES },
  AttributeValue: {
    oneOf: [
      { type: 'string' },
      { type: 'number' },
      { type: 'boolean' },
      { type: 'object', additionalProperties: true },
      { type: 'array', items: { type: 'string' } },
    ],
  },
};

/** Whether a scalar is more than a type and a format. */
export function isNamedScalar({ name }: GraphQLNamedType): boolean {
  return name === 'Scope' || name === 'AttributeValue';
}

/** @throws Error for a scalar without a JSON Schema: the document would be wrong */
export function scalarSchema(type: GraphQLNamedType): JsonSchema {
  const schema = SCALARS[type.name];
  if (schema === undefined) throw new Error(`The scalar ${type.name} has no JSON Schema.`);
  return schema;
}
