import fc from 'fast-check';
import type { GraphQLField, GraphQLInputType, GraphQLOutputType, GraphQLSchema } from 'graphql';
import {
  getNamedType,
  getNullableType,
  isAbstractType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredArgument,
  isRequiredInputField,
} from 'graphql';
import { hostileJson, hostileText } from '../rest-bridge/hostileValues.js';

/** What is posted to `/graphql`. */
export interface MadeOperation {
  query: unknown;
  variables: unknown;
  operationName?: unknown;
}

/** A value as a literal of the language and as JSON. */
interface Value {
  literal: string;
  json: unknown;
}

const MAX_DEPTH = 3;
const MAX_FIELDS = 3;

const NAMES = ['nothing', '__typename', '__schema', '__proto__', 'constructor', 'x'];
const TYPES = ['Int', 'String!', '[ID!]!', 'Boolean', 'JSONObject', 'Customer', 'Nothing', 'CreateAppInput'];
const DIRECTIVES = [
  '@skip(if: false)',
  '@include(if: true)',
  '@skip',
  '@nothing',
  '@consent',
  '@include(if: $v0)',
];
const TOKENS = [
  '{',
  '}',
  '(',
  ')',
  '$',
  '@',
  '...',
  '"',
  '"""',
  '#',
  '\u0000',
  '\ud800',
  ':',
  '!',
  '[',
  '0x',
  'on',
  'fragment',
];
const LITERALS = [
  'null',
  '1',
  '-1',
  '1e400',
  '9999999999',
  '"x"',
  '[]',
  '[[null]]',
  '{}',
  '{a: 1}',
  'NOTHING',
  'true',
  '$nothing',
  '"\\u0000"',
  '"""a"""',
];
const TEXTS = [
  'spring',
  '2026-01-02T03:04:05Z',
  'https://receiver.invalid/hook',
  'https://partner.invalid/cb',
  'reader-1',
  'books',
];

/**
 * Makes operations up from the schema: a third as the schema has them, a third with texts and numbers that
 * are at the edge of what fits, of a third each part now and then of a shape that does not fit.
 */
export class DocumentMaker {
  private readonly schema: GraphQLSchema;
  private readonly ids: readonly string[];
  private readonly draw: fc.GeneratorValue;
  private isWrong = false;
  private isOdd = false;
  private variables: Record<string, unknown> = {};
  private declared: string[] = [];
  private fragments: string[] = [];

  /** @param ids of things that there are */
  constructor(schema: GraphQLSchema, ids: readonly string[], draw: fc.GeneratorValue) {
    this.schema = schema;
    this.ids = ids;
    this.draw = draw;
  }

  make(): MadeOperation {
    [this.variables, this.declared, this.fragments] = [{}, [], []];
    const mood = this.oneOf(['fits', 'odd', 'wrong'] as const);
    [this.isWrong, this.isOdd] = [mood === 'wrong', mood !== 'fits'];
    const kind = this.oneOf(['query', 'query', 'mutation'] as const);
    const root = kind === 'query' ? this.schema.getQueryType() : this.schema.getMutationType();
    if (!root) throw new Error('The schema lacks a root.');
    const selection = this.selectionOf(root, 0);
    const declared = this.declared.length === 0 ? '' : `(${this.declared.join(', ')})`;
    const text = [`${kind} Made${declared} ${selection}`, ...this.fragments].join('\n');
    return this.spoiled({ query: this.goesWrong(12) ? this.broken(text) : text, variables: this.variables });
  }

  private selectionOf(type: GraphQLOutputType, depth: number): string {
    const named = getNamedType(type);
    if (!isCompositeType(named)) return this.goesWrong(100) ? '{ x }' : '';
    if (this.goesWrong(60)) return '';
    const concrete = isAbstractType(named) ? this.oneOf(this.schema.getPossibleTypes(named)) : named;
    const fields = 'getFields' in concrete ? Object.values(concrete.getFields()) : [];
    const fitting =
      depth < MAX_DEPTH ? fields : fields.filter((field) => !isCompositeType(getNamedType(field.type)));
    const count = 1 + this.below(MAX_FIELDS);
    const chosen = Array.from({ length: count }, (_, place) =>
      this.goesWrong(40) || fitting.length === 0
        ? this.isWrong
          ? this.oneOf(NAMES)
          : '__typename'
        : this.fieldOf(this.oneOf(fitting), place, depth),
    );
    const body = `{ ${chosen.join(' ')} }`;
    if (isAbstractType(named)) return `{ ... on ${concrete.name} ${body} }`;
    if (this.now(12)) return `{ ... on ${this.goesWrong(8) ? this.oneOf(TYPES) : named.name} ${body} }`;
    return this.now(12) ? this.namedFragment(named.name, body) : body;
  }

  /** Now and then one that holds itself, or is not there. */
  private namedFragment(type: string, body: string): string {
    const name = `F${this.fragments.length}`;
    if (!this.goesWrong(10))
      this.fragments.push(`fragment ${name} on ${type} ${this.goesWrong(15) ? `{ ...${name} }` : body}`);
    return `{ ...${name} }`;
  }

  private fieldOf(field: GraphQLField<unknown, unknown>, place: number, depth: number): string {
    const given = field.args.filter((argument) =>
      isRequiredArgument(argument) ? !this.goesWrong(25) : this.now(3),
    );
    const named = given.map(
      ({ name, type }) => `${this.goesWrong(60) ? 'nothing' : name}: ${this.argument(name, type)}`,
    );
    const alias = this.goesWrong(6) ? `a${this.below(3)}: ` : `a${place}: `;
    const directive = this.goesWrong(8) ? ` ${this.oneOf(DIRECTIVES)}` : '';
    const list = named.length === 0 ? '' : `(${named.join(', ')})`;
    return `${alias}${field.name}${list}${directive} ${this.selectionOf(field.type, depth + 1)}`;
  }

  private argument(name: string, type: GraphQLInputType): string {
    const fits = !this.goesWrong(8);
    const value = name === 'idempotencyKey' && fits ? this.key() : this.valueOf(type);
    if (this.now(2)) return fits ? value.literal : this.oneOf(LITERALS);
    const variable = `v${this.declared.length}`;
    this.declared.push(`$${variable}: ${this.goesWrong(20) ? this.oneOf(TYPES) : String(type)}`);
    this.variables[variable] = fits ? value.json : this.hostile();
    return `$${variable}`;
  }

  private key(): Value {
    return textOf(
      this.draw(fc.string, { unit: fc.constantFrom(...'0123456789abcdef'), minLength: 32, maxLength: 32 }),
    );
  }

  private valueOf(type: GraphQLInputType): Value {
    if (!isNonNullType(type) && this.now(10)) return { literal: 'null', json: null };
    const inner = getNullableType(type);
    if (isListType(inner)) {
      const items = Array.from({ length: this.below(4) }, () =>
        this.valueOf(inner.ofType as GraphQLInputType),
      );
      return {
        literal: `[${items.map(({ literal }) => literal).join(', ')}]`,
        json: items.map(({ json }) => json),
      };
    }
    if (isInputObjectType(inner)) {
      const fields = Object.values(inner.getFields()).filter((field) =>
        isRequiredInputField(field) ? !this.goesWrong(40) : this.now(3),
      );
      const values = fields.map(({ name, type }): [string, Value] => [name, this.valueOf(type)]);
      if (this.goesWrong(40)) values.push([this.oneOf(NAMES), textOf('x')]);
      return {
        literal: `{${values.map(([name, { literal }]) => `${name}: ${literal}`).join(', ')}}`,
        json: Object.fromEntries(values.map(([name, { json }]) => [name, json])),
      };
    }
    if (isEnumType(inner)) {
      const { name } = this.oneOf(inner.getValues());
      return { literal: name, json: name };
    }
    return this.scalarOf(getNamedType(inner).name);
  }

  private scalarOf(name: string): Value {
    switch (name) {
      case 'ID':
        return textOf(this.isOdd && this.now(5) ? this.text() : this.oneOf(this.ids));
      case 'Int':
        return plain(this.oneOf(this.isOdd ? [0, 1, 2, 25, 100, 101, -1, 2 ** 31 - 1] : [1, 2, 3]));
      case 'Float':
        return plain(this.oneOf([0, 0.5, 1, -0.1, 1e308, 5e-324]));
      case 'Boolean':
        return plain(this.now(2));
      case 'DateTime':
        return textOf(this.isOdd && this.now(4) ? this.text() : '2026-01-02T03:04:05.000Z');
      case 'JSONObject':
        return objectOf(
          this.isWrong ? { [this.text()]: this.hostile(), a: [this.text()] } : { a: [this.text()] },
        );
      case 'AttributeValue':
        return objectOf(this.isOdd ? this.hostile() : this.text());
      case 'Scope':
        return textOf(this.isWrong ? 'nothing:read' : 'profile:read');
      default:
        return textOf(this.text());
    }
  }

  private text(): string {
    return !this.isOdd || this.now(2) ? this.oneOf(TEXTS) : this.draw(() => hostileText);
  }

  private hostile(): unknown {
    return this.draw(() => hostileJson);
  }

  /** A document with some of its text gone, or a token where it does not belong. */
  private broken(text: string): string {
    const [start, length] = [this.below(text.length), this.below(12)];
    return text.slice(0, start) + (this.now(2) ? this.oneOf(TOKENS) : '') + text.slice(start + length);
  }

  private spoiled(made: MadeOperation): MadeOperation {
    if (this.goesWrong(30)) return { ...made, variables: this.hostile() };
    if (this.goesWrong(30)) return { ...made, operationName: this.hostile() };
    if (this.goesWrong(100)) return { ...made, query: this.hostile() };
    return made;
  }

  /** Once in so many, of documents that are to be wrong. */
  private goesWrong(often: number): boolean {
    return this.isWrong && this.now(often);
  }

  /** Once in so many. */
  private now(often: number): boolean {
    return this.below(often) === 0;
  }

  private below(count: number): number {
    return this.draw(fc.nat, { max: Math.max(0, count - 1) });
  }

  private oneOf<T>(values: readonly T[]): T {
    const chosen = values[this.below(values.length)];
    if (chosen === undefined) throw new Error('Nothing to choose from.');
    return chosen;
  }
}

function textOf(text: string): Value {
  return { literal: JSON.stringify(text), json: text };
}

function plain(value: number | boolean): Value {
  return { literal: String(value), json: value };
}

/** Its literal is that of an empty object where names of its members would not be names of the language. */
function objectOf(json: unknown): Value {
  return {
    literal: typeof json === 'object' && json !== null ? '{}' : (JSON.stringify(json) ?? 'null'),
    json,
  };
}
