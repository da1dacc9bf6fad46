import { isEnumType } from 'graphql';
import type { GraphQLEnumType, GraphQLScalarType } from 'graphql';
import type { Components } from './Components.js';
import { restWords } from './restWords.js';
import { isNamedScalar, scalarSchema } from './scalarSchema.js';
import type { JsonSchema } from './scalarSchema.js';

/** The JSON Schema of an enum or scalar: named when it is more than a type and a format. */
export function leafSchema(type: GraphQLEnumType | GraphQLScalarType, components: Components): JsonSchema {
  if (isEnumType(type)) return components.refer(type.name, enumSchema(type));
  const schema = scalarSchema(type);
  if (!isNamedScalar(type)) return schema;
  return components.refer(type.name, { ...schema, description: restWords(type.description ?? '') });
}

function enumSchema(type: GraphQLEnumType): JsonSchema {
  const values = type.getValues();
  const meanings = values.flatMap(({ value, description }) =>
    description ? [`- \`${String(value)}\`: ${restWords(description)}`] : [],
  );
  const description = [
    restWords(type.description ?? ''),
    ...(meanings.length > 0 ? ['', ...meanings] : []),
  ].join('\n');
  return { type: 'string', enum: values.map(({ value }) => value as unknown), description };
}
