import {
  GraphQLBoolean,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isInputType,
  isRequiredInputField,
  isScalarType,
  Kind,
  typeFromAST,
  visit,
} from 'graphql';
import type { DocumentNode, GraphQLInputType, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import { MOST_ITEMS, knownCost } from './limits.js';

/**
 * The most that an operation can cost, whatever its variables: with the largest pages and lists that the service takes, and every
 * condition met. Undefined when no fitting variables can be thought of.
 */
export function largestCost(
  schema: GraphQLSchema,
  document: DocumentNode,
  { variableDefinitions = [], name }: OperationDefinitionNode,
): number | undefined {
  const variables = variableDefinitions.map(({ variable, type }) => {
    const declared = typeFromAST(schema, type);
    return [variable.name.value, isInputType(declared) ? largestValue(declared) : undefined];
  });
  return knownCost(schema, unconditional(document), Object.fromEntries(variables), name?.value);
}

function unconditional(document: DocumentNode): DocumentNode {
  return visit(document, { [Kind.DIRECTIVE]: () => null });
}

function largestValue(type: GraphQLInputType): unknown {
  if (isNonNullType(type)) return largestValue(type.ofType);
  if (isListType(type)) return Array.from({ length: MOST_ITEMS }, () => largestValue(type.ofType));
  if (isEnumType(type)) return type.getValues()[0]?.name;
  if (isInputObjectType(type)) {
    const required = Object.values(type.getFields()).filter(isRequiredInputField);
    return Object.fromEntries(required.map((field) => [field.name, largestValue(field.type)]));
  }
  if (type === GraphQLBoolean) return true;
  const fits = (value: unknown): boolean => isScalarType(type) && parses(() => type.parseValue(value));
  return [MOST_ITEMS, 'x', '2026-01-01T00:00:00.000Z', {}].find(fits);
}

function parses(parse: () => unknown): boolean {
  try {
    return parse() !== undefined;
  } catch {
    return false;
  }
}
