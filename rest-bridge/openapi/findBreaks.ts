import { isJsonObject } from '../../src/domain/jsonValue.js';
import type { JsonSchema } from './scalarSchema.js';

/**
 * The incompatible changes of a newer OpenAPI document: paths, operations, parameters, answers and members
 * removed or re-typed, and requests that require more. Additions are compatible
 * (docs/contract.md#versioning).
 */
export function findBreaks(before: unknown, after: unknown): string[] {
  return compare(expanded(before, before), expanded(after, after), '');
}

/**
 * Replaces references by their schemas, and makes null a keyword of its own: names of schemas are not part of
 * the contract.
 */
function expanded(value: unknown, document: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => expanded(item, document));
  if (!isJsonObject(value)) return value;
  const { $ref, anyOf, ...rest } = value;
  const [only, nothing] = Array.isArray(anyOf) ? (anyOf as unknown[]) : [];
  if (isJsonObject(nothing) && nothing['type'] === 'null')
    return { ...(expanded(only, document) as object), ...rest, nullable: true };
  const named = typeof $ref === 'string' ? (expanded(placeOf(document, $ref), document) as object) : {};
  const members = Object.entries({ ...rest, ...(anyOf === undefined ? {} : { anyOf }) });
  const own = Object.fromEntries(
    members.filter(([key]) => key !== 'components').map(([key, member]) => [key, expanded(member, document)]),
  );
  const [type, isNull] = Array.isArray(own['type']) ? (own['type'] as unknown[]) : [];
  return isNull === 'null' ? { ...named, ...own, type, nullable: true } : { ...named, ...own };
}

function placeOf(document: unknown, ref: string): unknown {
  return ref
    .slice(2)
    .split('/')
    .reduce<unknown>((place, name) => (isJsonObject(place) ? place[name] : undefined), document);
}

function compare(before: unknown, after: unknown, path: string): string[] {
  if (isProse(path)) return [];
  if (!isJsonObject(before))
    return before === after ? [] : [`${path} was ${String(before)} and is ${String(after)}`];
  if (!isJsonObject(after)) return [`${path} was removed`];
  const lost = Object.entries(before).flatMap(([key, value]) =>
    findBreaksOf(key, value, after, `${path}/${key}`),
  );
  return [...lost, ...newDemands(before, after, path)];
}

function findBreaksOf(key: string, value: unknown, after: JsonSchema, path: string): string[] {
  if (Array.isArray(value)) return listBreaks(key, value, after[key], path);
  if (!(key in after)) return isProse(path) ? [] : [`${path} was removed`];
  return compare(value, after[key], path);
}

/** Compares lists as sets: only missing items count. */
function listBreaks(key: string, before: unknown[], after: unknown, path: string): string[] {
  if (key === 'security' || key === 'servers') return [];
  const now = Array.isArray(after) ? after.map(identityOf) : [];
  const demand = key === 'required' && isRequest(path);
  return before
    .filter((item) => !demand && !now.includes(identityOf(item)))
    .map((item) => `${path}: ${identityOf(item)} was removed`);
}

function newDemands(before: JsonSchema, after: JsonSchema, path: string): string[] {
  const [old, now] = [before['required'], after['required']];
  if (!Array.isArray(now) || !isRequest(path)) return [];
  const known = Array.isArray(old) ? old : [];
  return now
    .filter((name) => !known.includes(name))
    .map((name) => `${path}: ${String(name)} became required`);
}

function isRequest(path: string): boolean {
  return path.includes('/requestBody/');
}

function identityOf(item: unknown): string {
  if (isJsonObject(item) && typeof item['name'] === 'string') return `${String(item['in'])} ${item['name']}`;
  return JSON.stringify(item);
}

function isProse(path: string): boolean {
  return /(?<!\/properties)\/(description|summary|title|version|example|examples|url|authorizationUrl|tokenUrl|refreshUrl|\$schema)$/.test(
    path,
  );
}
