import {
  getNullableType,
  GraphQLError,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isScalarType,
} from 'graphql';
import type {
  GraphQLEnumType,
  GraphQLInputField,
  GraphQLInputObjectType,
  GraphQLInputType,
  GraphQLScalarType,
} from 'graphql';
import { constraintsOf, MAX_ITEMS } from './constrained.js';
import type { Constraints } from './constrained.js';
import { clearlyOversize, isJsonObject, unstorable } from '../domain/jsonValue.js';
import { snakeCase } from '../domain/snakeCase.js';
import { parseTimestamp } from '../domain/timestamp.js';
import { MAX_DETAILS } from '../errors.js';
import type { ErrorDetail } from '../errors.js';
import { boundProblem, lengthProblem } from './bounds.js';
import { mapInSlices } from '../concurrency/mapInSlices.js';

/**
 * Maximum problems listed for all rejected items of one batch, so that the answer to an invalid batch stays
 * short.
 */
const MAX_BATCH_DETAILS = 1000;

/** Deeper values of rejected items are treated as equal. */
const MAX_TEXT_DEPTH = 1000;

/** Maximum length of a field's path in an error. */
const MAX_FIELD_CHARACTERS = 200;

/** How GraphQL or REST spells field names and enum values. */
export interface Spelling {
  nameOf(fieldName: string): string;
  /** The enum's internal value for the sent one, or undefined. */
  enumValue(type: GraphQLEnumType, sent: unknown): unknown;
  /** The value passed on for an accepted enum value. */
  enumResult(type: GraphQLEnumType, value: unknown): unknown;
  /** Whether scalars are already parsed. */
  parsed: boolean;
}

/**
 * A batch item rejected for its shape, in REST spelling for both doors: a key means the same batch in both.
 * `raw` is for the payload hash: the item, or its text if it has no canonical form.
 */
export interface RejectedItem {
  details: ErrorDetail[];
  /** The number of problems not listed. */
  omitted: number;
  raw: unknown;
}

export interface InputShape {
  value: unknown;
  problems: ErrorDetail[];
  /** Rejected items of the batch list, by index. */
  rejected: Map<number, RejectedItem>;
}

/** Snake-case names and lower-case enums, passed on as GraphQL variables. */
export const restSpelling: Spelling = {
  nameOf: snakeCase,
  enumValue: (type, sent) => type.getValues().find(({ value }) => value === sent)?.value,
  enumResult: (type, value) => type.serialize(value),
  parsed: false,
};

/** Values that graphql-js has already coerced: only bounds remain to check. */
export const coercedSpelling: Spelling = {
  nameOf: (name) => name,
  enumValue: (_type, sent) => sent,
  enumResult: (_type, value) => value,
  parsed: true,
};

/**
 * Reads a value by its input type and bounds. Returns the accepted value and every problem. Items of a batch
 * are read in slices, with other requests between them.
 */
export async function readShape(
  type: GraphQLInputType,
  sent: unknown,
  spelling: Spelling,
): Promise<InputShape> {
  const reader = new ShapeReader(spelling);
  const value = reader.read(type, sent, '');
  await reader.readBatch();
  return { value, problems: reader.problems, rejected: reader.rejected };
}

/**
 * Reads a REST body, which is an object. @param type undefined for an operation without parameters: every
 * member is a problem
 */
export async function readBodyShape(type: GraphQLInputType | undefined, sent: unknown): Promise<InputShape> {
  if (!isJsonObject(sent)) return refused([{ code: 'invalid_type', message: 'must be an object' }]);
  if (type !== undefined) return readShape(type, sent, restSpelling);
  const unknown = { code: 'unknown_field', message: 'is not a known field' };
  return refused(Object.keys(sent).map((field) => ({ ...unknown, field: shortened(visible(field)) })));
}

function refused(problems: ErrorDetail[]): InputShape {
  return { value: undefined, problems, rejected: new Map() };
}

/** An input type in the spelling of GraphQL or REST. */
interface ObjectShape {
  fields: readonly {
    field: GraphQLInputField;
    name: string;
    restName: string;
    constraints: Constraints | undefined;
  }[];
  names: ReadonlySet<string>;
  check: Constraints['check'];
  alsoRefused: Constraints['alsoRefused'];
}

const objectShapes = new WeakMap<Spelling, WeakMap<GraphQLInputObjectType, ObjectShape>>();

function objectShapeOf(type: GraphQLInputObjectType, spelling: Spelling): ObjectShape {
  const own = objectShapes.get(spelling) ?? new WeakMap<GraphQLInputObjectType, ObjectShape>();
  const known = own.get(type);
  if (known !== undefined) return known;
  const fields = Object.values(type.getFields()).map((field) => {
    const restName = snakeCase(field.name);
    return { field, name: spelling.nameOf(field.name), restName, constraints: constraintsOf(field) };
  });
  const names = new Set(fields.map(({ name }) => name));
  const { check, alsoRefused } = constraintsOf(type) ?? {};
  const shape = { fields, names, check, alsoRefused };
  objectShapes.set(spelling, own.set(type, shape));
  return shape;
}

function ownValue(sent: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(sent, name) ? sent[name] : undefined;
}

interface Batch {
  itemType: GraphQLInputType;
  sent: readonly unknown[];
  values: unknown[];
}

class ShapeReader {
  problems: ErrorDetail[] = [];
  readonly rejected = new Map<number, RejectedItem>();
  /** Details left for all items of the batch, beyond one each. */
  private batchDetails = MAX_BATCH_DETAILS;
  private batch: Batch | undefined;
  /** Whether paths are in REST spelling. */
  private inBatch = false;

  constructor(private readonly spelling: Spelling) {}

  read(type: GraphQLInputType, sent: unknown, path: string, constraints?: Constraints): unknown {
    if (sent === null || sent === undefined) {
      if (isNonNullType(type)) this.add('required', 'is required', path);
      return sent;
    }
    const nullable = getNullableType(type);
    if (isListType(nullable)) return this.readList(nullable.ofType, sent, path, constraints);
    if (isInputObjectType(nullable)) return this.readObject(nullable, sent, path);
    return this.readLeaf(nullable as GraphQLScalarType | GraphQLEnumType, sent, path, constraints);
  }

  private readObject(type: GraphQLInputObjectType, sent: unknown, path: string): unknown {
    if (!isJsonObject(sent)) return this.add('invalid_type', 'must be an object', path);
    const { fields, names, check, alsoRefused } = objectShapeOf(type, this.spelling);
    const before = this.problems.length;
    const result: Record<string, unknown> = {};
    for (const { field, name, restName, constraints } of fields) {
      const at = join(path, this.inBatch ? restName : name);
      const value = this.read(field.type, ownValue(sent, name), at, constraints);
      if (value !== undefined) result[field.name] = value;
    }
    const checkTogether = (rule: NonNullable<Constraints['alsoRefused']>): void => {
      const given = Object.fromEntries(fields.map(({ field, name }) => [field.name, ownValue(sent, name)]));
      const nameOf = this.inBatch ? snakeCase : this.spelling.nameOf;
      for (const problem of rule(given))
        this.add(problem.code, problem.message, join(path, nameOf(problem.path ?? '')));
    };
    if (check !== undefined) checkTogether(check);
    for (const name of Object.keys(sent))
      if (!names.has(name)) this.add('unknown_field', 'is not a known field', join(path, visible(name)));
    if (alsoRefused !== undefined && this.problems.length > before) checkTogether(alsoRefused);
    return result;
  }

  private readList(
    itemType: GraphQLInputType,
    sent: unknown,
    path: string,
    constraints: Constraints = {},
  ): unknown {
    if (!Array.isArray(sent)) return this.add('invalid_type', 'must be an array', path);
    const { minItems = 0, maxItems = MAX_ITEMS } = constraints;
    if (sent.length < minItems)
      return this.add(
        'too_few_items',
        `must have at least ${minItems} item${minItems === 1 ? '' : 's'}`,
        path,
      );
    if (sent.length > maxItems)
      return this.add('too_many_items', `must have at most ${maxItems} items`, path);
    if (constraints.batch === true) {
      this.batch = { itemType, sent, values: [] };
      return this.batch.values;
    }
    const sound: unknown[] = [];
    const items = sent.map((item, index) => {
      const before = this.problems.length;
      const value = this.readItem(itemType, item, `${path}[${index}]`, constraints);
      sound.push(this.problems.length === before ? item : undefined);
      return value;
    });
    this.check(constraints, sound, path);
    return items;
  }

  private readItem(type: GraphQLInputType, item: unknown, path: string, constraints: Constraints): unknown {
    const { check: _check, minItems: _min, maxItems: _max, ...ofItem } = constraints;
    if (item === null) return this.add('invalid_type', 'must not be null', path);
    return this.read(type, item, path, ofItem);
  }

  /** Reads the batch that `read` left. An input has at most one. */
  async readBatch(): Promise<void> {
    const { batch } = this;
    if (batch === undefined) return;
    const { itemType, sent, values } = batch;
    this.inBatch = true;
    values.push(...(await mapInSlices(sent, (item, index) => this.readBatchItem(itemType, item, index))));
  }

  /** Paths within a batch item start at the item. */
  private readBatchItem(type: GraphQLInputType, item: unknown, index: number): unknown {
    const outer = this.problems;
    this.problems = [];
    if (!isJsonObject(item)) this.add('invalid_type', 'must be an object', '');
    const value = isJsonObject(item) ? this.read(type, item, '') : null;
    const details = this.problems;
    this.problems = outer;
    if (details.length === 0) return value;
    const told = Math.max(1, Math.min(MAX_DETAILS, this.batchDetails));
    this.batchDetails -= Math.min(told, details.length);
    const omitted = Math.max(0, details.length - told);
    const raw = this.inRest(type, item);
    this.rejected.set(index, {
      details: details.slice(0, told),
      omitted,
      raw: unstorable(raw) === undefined ? raw : textOf(raw),
    });
    return null;
  }

  /** A value with the names of REST, known ones in the order of the schema, and date-times in UTC. */
  private inRest(type: GraphQLInputType, sent: unknown): unknown {
    const nullable = getNullableType(type);
    if (isListType(nullable))
      return Array.isArray(sent) ? sent.map((item) => this.inRest(nullable.ofType, item)) : sent;
    if (!isInputObjectType(nullable))
      return nullable.name === 'DateTime' && typeof sent === 'string' ? (parseTimestamp(sent) ?? sent) : sent;
    if (!isJsonObject(sent)) return sent;
    const { fields, names } = objectShapeOf(nullable, this.spelling);
    const known = fields
      .filter(({ name }) => Object.hasOwn(sent, name))
      .map(({ field, name, restName }) => [restName, this.inRest(field.type, sent[name])] as const);
    return Object.fromEntries([...known, ...Object.entries(sent).filter(([name]) => !names.has(name))]);
  }

  private readLeaf(
    type: GraphQLScalarType | GraphQLEnumType,
    sent: unknown,
    path: string,
    constraints: Constraints = {},
  ): unknown {
    const before = this.problems.length;
    const value = isEnumType(type) ? this.readEnum(type, sent, path) : this.readScalar(type, sent, path);
    const problem = lengthProblem(value, constraints) ?? boundProblem(value, constraints);
    if (problem !== undefined) this.add(problem.code, problem.message, path);
    if (this.problems.length === before) this.check(constraints, value, path);
    return value;
  }

  private readEnum(type: GraphQLEnumType, sent: unknown, path: string): unknown {
    const value = this.spelling.enumValue(type, sent);
    if (value !== undefined) return this.spelling.enumResult(type, value);
    const allowed = type.getValues().map((known) => String(known.value));
    return this.add('invalid_value', `must be one of ${allowed.join(', ')}`, path);
  }

  private readScalar(type: GraphQLScalarType, sent: unknown, path: string): unknown {
    const size = JSON_SCALARS.has(type.name) && isJsonObject(sent) ? clearlyOversize(sent) : undefined;
    if (size !== undefined) return this.add('too_long', size, path);
    const problem = scalarTypeProblem(type.name, sent) ?? unstorable(sent);
    if (problem !== undefined) return this.add('invalid_type', problem, path);
    if (this.spelling.parsed || !isScalarType(type)) return sent;
    try {
      type.parseValue(sent);
      return sent;
    } catch (error) {
      const message = error instanceof GraphQLError ? error.message : 'is not valid';
      return this.add(JSON_SCALARS.has(type.name) ? 'invalid_type' : 'invalid_value', message, path);
    }
  }

  private check(constraints: Constraints, value: unknown, path: string): void {
    for (const problem of constraints.check?.(value) ?? [])
      this.add(problem.code, problem.message, path + (problem.path ?? ''));
  }

  private add(code: string, message: string, path: string): undefined {
    this.problems.push({ code, message, ...(path === '' ? {} : { field: shortened(path) }) });
    return undefined;
  }
}

/** The sender chooses names: a few long ones would make the answer larger than the request. */
function shortened(path: string): string {
  return path.length <= MAX_FIELD_CHARACTERS
    ? path
    : `${path.slice(0, MAX_FIELD_CHARACTERS - 1).toWellFormed()}…`;
}

/**
 * JSON text of any value; too deeply nested values have the same text. `JSON.stringify` compares each level
 * with all above it, so its time is quadratic in the depth.
 */
function textOf(value: unknown): string {
  const parts: string[] = [];
  return writeText(value, parts, 0) ? parts.join('') : 'nested too deep';
}

function writeText(value: unknown, parts: string[], depth: number): boolean {
  if (typeof value !== 'object' || value === null) return Boolean(parts.push(JSON.stringify(value)));
  if (depth === MAX_TEXT_DEPTH) return false;
  const isList = Array.isArray(value);
  let before = isList ? '[' : '{';
  for (const [name, item] of Object.entries(value)) {
    parts.push(isList ? before : `${before}${JSON.stringify(name)}:`);
    if (!writeText(item, parts, depth + 1)) return false;
    before = ',';
  }
  parts.push(before === ',' ? '' : before, isList ? ']' : '}');
  return true;
}

/** A name that a sender chose: one without characters would be no field in an error. */
export function visible(name: string): string {
  return name === '' ? '""' : name;
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

/** Scalars that ask for a JSON type and nothing more. */
const JSON_SCALARS = new Set(['JSONObject', 'AttributeValue']);

/** GraphQL's scalars coerce leniently (1 to "1" for an ID); in JSON bodies the type must match. */
export function scalarTypeProblem(typeName: string, sent: unknown): string | undefined {
  switch (typeName) {
    case 'String':
    case 'ID':
    case 'DateTime':
      return typeof sent === 'string' ? undefined : 'must be a string';
    case 'Boolean':
      return typeof sent === 'boolean' ? undefined : 'must be true or false';
    case 'Int':
      return Number.isSafeInteger(sent) ? undefined : 'must be an integer';
    case 'Float':
      return typeof sent === 'number' ? undefined : 'must be a number';
    default:
      return undefined;
  }
}
