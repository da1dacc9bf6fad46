import { getNullableType, isInputObjectType, isListType, isNonNullType } from 'graphql';
import type { GraphQLEnumType, GraphQLInputField, GraphQLInputObjectType, GraphQLInputType } from 'graphql';
import { constraintsOf, MAX_ITEMS } from '../../src/access/constrained.js';
import type { Constraints } from '../../src/access/constrained.js';
import { restSpelling } from '../../src/access/inputShape.js';
import type { Components } from './Components.js';
import { leafSchema } from './leafSchema.js';
import { restWords } from './restWords.js';
import type { JsonSchema } from './scalarSchema.js';

/** The JSON Schema of a body or parameter, with the bounds that the service checks. */
export function inputSchema(
  type: GraphQLInputType,
  components: Components,
  constraints: Constraints = {},
): JsonSchema {
  const nullable = getNullableType(type);
  if (isListType(nullable)) {
    const { minItems, maxItems = MAX_ITEMS, ...ofItem } = constraints;
    const items = inputSchema(nullable.ofType, components, ofItem);
    return { type: 'array', items, ...defined({ minItems, maxItems }) };
  }
  if (isInputObjectType(nullable)) return components.refer(nullable.name, objectSchema(nullable, components));
  const { minLength, maxLength, minimum, maximum, pattern, format } = constraints;
  const bounds = defined({ minLength, maxLength, minimum, maximum, pattern: pattern?.source, format });
  return { ...leafSchema(nullable as GraphQLEnumType, components), ...bounds };
}

function objectSchema(type: GraphQLInputObjectType, components: Components): JsonSchema {
  const fields = Object.values(type.getFields());
  const properties = Object.fromEntries(
    fields.map((field) => [restSpelling.nameOf(field.name), propertySchema(field, components)]),
  );
  const required = fields
    .filter((field) => isNonNullType(field.type))
    .map((field) => restSpelling.nameOf(field.name));
  return {
    type: 'object',
    description: restWords(type.description ?? ''),
    properties,
    additionalProperties: false,
    ...(required.length > 0 ? { required } : {}),
  };
}

/**
 * Optional members may also be null. Null means omitted, except in a merge patch and an upsert, where it
 * clears the member.
 */
function propertySchema(field: GraphQLInputField, components: Components): JsonSchema {
  const schema = inputSchema(field.type, components, constraintsOf(field));
  const described = isNonNullType(field.type) ? schema : orNull(schema);
  return {
    ...described,
    ...(field.description ? { description: restWords(field.description) } : {}),
    ...(field.deprecationReason ? { deprecated: true } : {}),
  };
}

function orNull(schema: JsonSchema): JsonSchema {
  if (typeof schema['type'] === 'string' && schema['enum'] === undefined)
    return { ...schema, type: [schema['type'], 'null'] };
  return { anyOf: [schema, { type: 'null' }] };
}

function defined(bounds: Record<string, unknown>): JsonSchema {
  return Object.fromEntries(Object.entries(bounds).filter(([, value]) => value !== undefined));
}
