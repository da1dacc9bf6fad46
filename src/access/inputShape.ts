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
import { isJsonObject, unstorable } from '../domain/jsonValue.js';
import { snakeCase } from '../domain/snakeCase.js';
import { MAX_DETAILS } from '../errors.js';
import type { ErrorDetail } from '../errors.js';
import { boundProblems, lengthProblems } from './bounds.js';
import { mapInSlices } from './mapInSlices.js';

/**
 * Problems that the rejected items of one batch tell in all, so that a batch of nonsense is answered briefly.
 */
const MAX_BATCH_DETAILS = 1000;

/** Deepest nesting of a rejected item that is told apart from others. */
const MAX_TEXT_DEPTH = 1000;

/** Longest path of a field in an error. */
const MAX_FIELD_CHARACTERS = 200;

/** How a door spells the names of fields and the values of enums. */
export interface Spelling {
  nameOf(fieldName: string): string;
  /** The enum's internal value for what the client sent, or undefined. */
  enumValue(type: GraphQLEnumType, sent: unknown): unknown;
  /** The value to hand on for an accepted enum value. */
  enumResult(type: GraphQLEnumType, value: unknown): unknown;
  /** Whether scalars come parsed already. */
  parsed: boolean;
}

/**
 * A batch item that was rejected for its shape. `raw` keeps the payload hash honest: the item, or its text
 * where it has no canonical form.
 */
export interface RejectedItem {
  details: ErrorDetail[];
  /** How many more problems there were. */
  omitted: number;
  raw: unknown;
}

export interface InputShape {
  value: unknown;
  problems: ErrorDetail[];
  /** Rejected items of the batch list, by index. */
  rejected: Map<number, RejectedItem>;
}

/** Snake-case names and lower-case enums, handed on as GraphQL variables. */
export const restSpelling: Spelling = {
  nameOf: snakeCase,
  enumValue: (type, sent) => type.getValues().find(({ value }) => value === sent)?.value,
  enumResult: (type, value) => type.serialize(value),
  parsed: false,
};

/** Values that graphql-js has coerced already: only the bounds are left to check. */
export const coercedSpelling: Spelling = {
  nameOf: (name) => name,
  enumValue: (_type, sent) => sent,
  enumResult: (_type, value) => value,
  parsed: true,
};

/**
 * Reads a value by its input type and bounds: what may be handed on, and every problem at once. Items of a
 * batch are read in slices between which other requests have their turn.
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
 * Reads a body of REST, which is an object. @param type undefined where the operation has no parameters:
 * every member is a problem
 */
export async function readBodyShape(type: GraphQLInputType | undefined, sent: unknown): Promise<InputShape> {
  if (!isJsonObject(sent)) return refused([{ code: 'invalid_type', message: 'must be an object' }]);
  if (type !== undefined) return readShape(type, sent, restSpelling);
  const unknown = { code: 'unknown_field', message: 'is not a known field' };
  return refused(Object.keys(sent).map((field) => ({ ...unknown, field: shortened(field) })));
}

function refused(problems: ErrorDetail[]): InputShape {
  return { value: undefined, problems, rejected: new Map() };
}

/** An input type as a door spells it. */
interface ObjectShape {
  fields: readonly { field: GraphQLInputField; name: string; constraints: Constraints | undefined }[];
  names: ReadonlySet<string>;
  check: Constraints['check'];
}

const objectShapes = new WeakMap<Spelling, WeakMap<GraphQLInputObjectType, ObjectShape>>();

function objectShapeOf(type: GraphQLInputObjectType, spelling: Spelling): ObjectShape {
  const own = objectShapes.get(spelling) ?? new WeakMap<GraphQLInputObjectType, ObjectShape>();
  const known = own.get(type);
  if (known !== undefined) return known;
  const fields = Object.values(type.getFields()).map((field) => {
    return { field, name: spelling.nameOf(field.name), constraints: constraintsOf(field) };
  });
  const names = new Set(fields.map(({ name }) => name));
  const shape = { fields, names, check: constraintsOf(type)?.check };
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
  /** Details that the items of the batch may still tell together, beyond one each. */
  private batchDetails = MAX_BATCH_DETAILS;
  private batch: Batch | undefined;

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
    const { fields, names, check } = objectShapeOf(type, this.spelling);
    const result: Record<string, unknown> = {};
    for (const { field, name, constraints } of fields) {
      const value = this.read(field.type, ownValue(sent, name), join(path, name), constraints);
      if (value !== undefined) result[field.name] = value;
    }
    if (check !== undefined) {
      const given = Object.fromEntries(fields.map(({ field, name }) => [field.name, ownValue(sent, name)]));
      for (const problem of check(given))
        this.add(problem.code, problem.message, join(path, this.spelling.nameOf(problem.path ?? '')));
    }
    for (const name of Object.keys(sent))
      if (!names.has(name)) this.add('unknown_field', 'is not a known field', join(path, name));
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

  /** What `read` left: an input has one batch at most. */
  async readBatch(): Promise<void> {
    const { batch } = this;
    if (batch === undefined) return;
    const { itemType, sent, values } = batch;
    await mapInSlices(sent, (item, index) => values.push(this.readBatchItem(itemType, item, index)));
  }

  /** Paths of a batch item start at the item. */
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
    this.rejected.set(index, {
      details: details.slice(0, told),
      omitted,
      raw: unstorable(item) === undefined ? item : textOf(item),
    });
    return null;
  }

  private readLeaf(
    type: GraphQLScalarType | GraphQLEnumType,
    sent: unknown,
    path: string,
    constraints: Constraints = {},
  ): unknown {
    const before = this.problems.length;
    const value = isEnumType(type) ? this.readEnum(type, sent, path) : this.readScalar(type, sent, path);
    for (const { code, message } of lengthProblems(value, constraints)) this.add(code, message, path);
    for (const { code, message } of boundProblems(value, constraints)) this.add(code, message, path);
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
    const problem = scalarTypeProblem(type.name, sent) ?? unstorable(sent);
    if (problem !== undefined) return this.add('invalid_type', problem, path);
    if (this.spelling.parsed || !isScalarType(type)) return sent;
    try {
      type.parseValue(sent);
      return sent;
    } catch (error) {
      const message = error instanceof GraphQLError ? error.message : 'is not valid';
      return this.add('invalid_value', message, path);
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

/** Names are the sender's: told in full, a few of them would make an answer larger than the request. */
function shortened(path: string): string {
  return path.length <= MAX_FIELD_CHARACTERS
    ? path
    : `${path.slice(0, MAX_FIELD_CHARACTERS - 1).toWellFormed()}…`;
}

/**
 * JSON text of anything; what is nested too deep even for that is all the same. `JSON.stringify` compares each
 * level with all above it: what is nested deep costs it the square.
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

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

/** GraphQL's built-in scalars coerce leniently (1 to "1" for an ID); JSON bodies are held to their type. */
function scalarTypeProblem(typeName: string, sent: unknown): string | undefined {
  switch (typeName) {
    case 'String':
    case 'ID':
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
