import { getNullableType, GraphQLError, isEnumType, isScalarType } from 'graphql';
import type { GraphQLInputType, GraphQLScalarType } from 'graphql';
import { unfitText } from '../src/domain/jsonValue.js';
import { pageSizeProblem } from '../src/domain/pageSize.js';
import { ServiceError } from '../src/errors.js';
import type { ErrorDetail } from '../src/errors.js';

/**
 * Reads the query of a URL as variables of the route's document.
 *
 * @throws ServiceError `invalid_request` naming every bad parameter
 */
export function readQuery(
  url: string,
  types: ReadonlyMap<string, GraphQLInputType>,
): Record<string, unknown> {
  const problems: ErrorDetail[] = [];
  const values: Record<string, unknown> = {};
  const seen = new Set<string>();
  for (const [key, text] of parametersOf(url)) {
    const problem = seen.has(key) ? 'must be given once' : readParameter(key, text, types, values);
    seen.add(key);
    if (problem !== undefined) problems.push({ code: 'invalid_parameter', message: problem, field: key });
  }
  if (problems.length === 0) return values;
  const names = problems.map(({ field }) => field).join(', ');
  throw new ServiceError('invalid_request', `The query is not valid: ${names}.`, { details: problems });
}

/**
 * `URLSearchParams` alone would insert replacement characters for invalid bytes and keep stray percent signs.
 * It drops one leading question mark, which is that of the URL.
 *
 * @throws ServiceError `invalid_request` when the query is not percent-encoded UTF-8
 */
function parametersOf(url: string): URLSearchParams {
  const start = url.indexOf('?');
  const query = start < 0 ? '' : url.slice(start);
  try {
    if (query.includes('%')) decodeURIComponent(query);
  } catch {
    throw new ServiceError('invalid_request', 'The query is not percent-encoded UTF-8.');
  }
  return new URLSearchParams(query);
}

/** Adds the parameter to the values, or returns its problem. */
function readParameter(
  key: string,
  text: string,
  types: ReadonlyMap<string, GraphQLInputType>,
  values: Record<string, unknown>,
): string | undefined {
  const [, name = key, member] = /^([a-z_]+)\[(.+)\]$/s.exec(key) ?? [];
  const type = types.get(name);
  if (type === undefined || isMembered(type) !== (member !== undefined)) return 'is not a known parameter';
  const unfit = isEnumType(getNullableType(type)) ? undefined : unfitText(text);
  if (unfit !== undefined) return unfit;
  if (member !== undefined) {
    // A client may name a member `__proto__`.
    const own = { value: text, enumerable: true };
    Object.defineProperty((values[name] ??= {}), member, own);
    return undefined;
  }
  const { value, problem = name === 'limit' ? pageSizeProblem(Number(value)) : undefined } = readValue(
    type,
    text,
  );
  if (problem === undefined) values[name] = value;
  return problem;
}

/** Whether the parameter is a free-form object, sent member by member: `fields[color]=red`. */
function isMembered(type: GraphQLInputType): boolean {
  const nullable = getNullableType(type);
  return isScalarType(nullable) && nullable.name === 'JSONObject';
}

function readValue(type: GraphQLInputType, text: string): { value?: unknown; problem?: string } {
  const nullable = getNullableType(type);
  if (isEnumType(nullable)) {
    const found = nullable.getValues().find(({ value }) => value === text);
    const allowed = nullable.getValues().map(({ value }) => String(value));
    return found === undefined ? { problem: `must be one of ${allowed.join(', ')}` } : { value: found.name };
  }
  if (!isScalarType(nullable)) return { problem: 'is not a known parameter' };
  if (nullable.name === 'Int')
    return /^-?\d{1,9}$/.test(text) ? { value: Number(text) } : { problem: 'must be an integer' };
  if (nullable.name === 'Boolean')
    return /^(true|false)$/.test(text) ? { value: text === 'true' } : { problem: 'must be true or false' };
  return text === '' ? { problem: 'must not be empty' } : parsed(nullable, text);
}

function parsed(type: GraphQLScalarType, text: string): { value?: unknown; problem?: string } {
  try {
    type.parseValue(text);
    return { value: text };
  } catch (error) {
    if (error instanceof GraphQLError) return { problem: error.message };
    throw error;
  }
}
