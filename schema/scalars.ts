import { GraphQLError, GraphQLScalarType, Kind, valueFromASTUntyped } from 'graphql';
import type { GraphQLScalarLiteralParser } from 'graphql';
import { isJsonObject } from '../src/domain/jsonValue.js';
import { ALL_SCOPES, isScope } from '../src/domain/scopes.js';
import { parseTimestamp } from '../src/domain/timestamp.js';

/** Reads literals as values are read; a refusal states the place of the literal. */
function literalBy<T>(read: (value: unknown) => T): GraphQLScalarLiteralParser<T> {
  return (node, variables) => {
    try {
      return read(valueFromASTUntyped(node, variables));
    } catch (error) {
      if (!(error instanceof GraphQLError)) throw error;
      throw new GraphQLError(error.message, { nodes: node });
    }
  };
}

/** An OAuth scope (docs/contract.md#scopes). */
export const ScopeScalar = new GraphQLScalarType<string, string>({
  name: 'Scope',
  description: 'An OAuth scope such as `profile:read` (RFC 6749, 3.3).',
  serialize: String,
  parseValue: readScope,
  parseLiteral: literalBy(readScope),
});

function readScope(value: unknown): string {
  if (typeof value === 'string' && isScope(value)) return value;
  throw new GraphQLError(`must be one of ${ALL_SCOPES.join(', ')}`);
}

/** Times in RFC 3339, returned in UTC with milliseconds. */
export const DateTimeScalar = new GraphQLScalarType<string, string>({
  name: 'DateTime',
  description: 'RFC 3339 date-time; given out in UTC with milliseconds: 2026-11-20T07:23:00.000Z.',
  specifiedByURL: 'https://scalars.graphql.org/andimarek/date-time.html',
  serialize: String,
  parseValue: readDateTime,
  parseLiteral: literalBy(readDateTime),
});

function readDateTime(value: unknown): string {
  const time = typeof value === 'string' ? parseTimestamp(value) : undefined;
  if (time === undefined)
    throw new GraphQLError('must be an RFC 3339 date-time such as 2026-11-20T07:23:00.000Z');
  return time;
}

/** A free-form key/value object. */
export const JsonObjectScalar = new GraphQLScalarType<unknown, unknown>({
  name: 'JSONObject',
  description: 'A free-form JSON object.',
  serialize: (value) => value,
  parseValue: readObject,
  parseLiteral: literalBy(readObject),
});

function readObject(value: unknown): unknown {
  if (isJsonObject(value)) return value;
  throw new GraphQLError('must be an object');
}

/** The value of a claim or fact. */
export const AttributeValueScalar = new GraphQLScalarType<unknown, unknown>({
  name: 'AttributeValue',
  description: 'The value of an attribute: a string, number, boolean, object, or array of strings.',
  serialize: (value) => value,
  parseValue: readAttributeValue,
  parseLiteral: (node, variables) => {
    if (node.kind === Kind.ENUM) throw new GraphQLError('must be a JSON value', { nodes: node });
    return literalBy(readAttributeValue)(node, variables);
  },
});

function readAttributeValue(value: unknown): unknown {
  if (['string', 'number', 'boolean'].includes(typeof value) || isJsonObject(value)) return value;
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
  throw new GraphQLError('must be a string, number, boolean, object, or array of strings');
}
