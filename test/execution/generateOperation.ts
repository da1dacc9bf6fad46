import fc from 'fast-check';
import { getNamedType, isNonNullType, isObjectType } from 'graphql';
import type { GraphQLField, GraphQLObjectType, GraphQLSchema } from 'graphql';
import { CLAIM_SHAPE, FACT_SHAPE, innerShape } from '../../src/documents/factShape.js';
import type { MemberKind, Shape } from '../../src/documents/factShape.js';
import { memberName } from '../../src/domain/door.js';
import type { Door } from '../../src/domain/door.js';

const DEPTH = 5;
/** Differs each time: its signature is randomized. */
const SIGNED_ANEW = 'signedReceipt';
const ROOTS = [
  'customer',
  'customers',
  'resolvedProfile',
  'profiles',
  'claims',
  'consentReceipts',
  'effectiveConsent',
  'ontologies',
];

/**
 * Valid operations over the read side of a schema, with arguments that name the given customers among others.
 */
export function generateOperation(
  schema: GraphQLSchema,
  customerIds: readonly string[],
): fc.Arbitrary<string> {
  const query = schema.getQueryType();
  if (!query) throw new Error('A schema without queries');
  const roots = Object.values(query.getFields()).filter(({ name }) => ROOTS.includes(name));
  const fields = fc.array(fc.constantFrom(...roots), { minLength: 1, maxLength: 2 });
  return fields
    .chain((chosen) =>
      fc.tuple(...chosen.map((field, index) => printField(field, customerIds, DEPTH, `r${index}`))),
    )
    .map((printed) => `query generated($yes: Boolean = true, $no: Boolean = false) { ${printed.join(' ')} }`);
}

/** The selection that is stored for a door. */
export function fullSelection(door: Door, shape: Shape = FACT_SHAPE): string {
  const members = Object.entries(shape).map(([member, kind]) => {
    const named = memberName(door, member) === member ? member : `${memberName(door, member)}: ${member}`;
    const inner = innerShape(kind);
    return inner === undefined ? named : `${named} { ${fullSelection(door, inner)} }`;
  });
  return members.join(' ');
}

/** The types that are taken as text. */
const DOCUMENTS: Readonly<Record<string, Shape>> = { ResolvedProfileFact: FACT_SHAPE, Claim: CLAIM_SHAPE };

function wholeDocument(shape: Shape): fc.Arbitrary<string> {
  return fc.constantFrom<Door>('graphql', 'rest').map((door) => `{ ${fullSelection(door, shape)} }`);
}

/** Some members in any order, under other names or twice, now and then with what is none. */
function partOfDocument(shape: Shape): fc.Arbitrary<string> {
  const members = fc.shuffledSubarray(Object.entries(shape), { minLength: 1 });
  return members.chain((chosen) =>
    fc
      .tuple(
        fc.constantFrom('', '', '', ' __typename', ' ... { __typename }'),
        ...chosen.map(([member, kind]) =>
          fc
            .tuple(fc.constantFrom('', '', 'renamed: '), partOfMember(kind))
            .map(([alias, inner]) => `${alias && `${member}_${alias}`}${member} ${inner}`),
        ),
      )
      .map(([extra, ...printed]) => `{ ${printed.join(' ')}${extra} }`),
  );
}

function partOfMember(kind: MemberKind): fc.Arbitrary<string> {
  const inner = innerShape(kind);
  return inner === undefined ? fc.constant('') : partOfDocument(inner);
}

type Field = GraphQLField<unknown, unknown>;

function printField(
  field: Field,
  ids: readonly string[],
  depth: number,
  alias: string,
): fc.Arbitrary<string> {
  const type = getNamedType(field.type);
  const directive = fc.constantFrom('', '', '', '@include(if: $yes)', '@skip(if: $yes)', '@include(if: $no)');
  const body = isObjectType(type) ? printSelection(type, ids, depth - 1) : fc.constant('');
  return fc
    .tuple(fc.constantFrom('', `${alias}: `), printArguments(field, ids), directive, body)
    .map(
      ([name, args, condition, inner]) =>
        `${name === '' && depth === DEPTH ? `${alias}: ` : name}${field.name}${args} ${condition} ${inner}`,
    );
}

function printSelection(
  type: GraphQLObjectType,
  ids: readonly string[],
  depth: number,
): fc.Arbitrary<string> {
  const all = Object.values(type.getFields()).filter(({ name }) => name !== SIGNED_ANEW);
  const leaves = all.filter((field) => !isObjectType(getNamedType(field.type)));
  const fields = depth > 0 ? all : leaves;
  if (fields.length === 0) return fc.constant('{ __typename }');
  const shape = DOCUMENTS[type.name];
  const whole = shape === undefined ? [] : [wholeDocument(shape), partOfDocument(shape)];
  const some = fc
    .subarray(fields as Field[], { minLength: 1, maxLength: Math.min(4, fields.length) })
    .chain((chosen) => fc.shuffledSubarray(chosen, { minLength: chosen.length }))
    .chain((chosen) => fc.tuple(...chosen.map((field, index) => printField(field, ids, depth, `a${index}`))))
    .chain((printed) =>
      fc.constantFrom(
        `{ ${printed.join(' ')} }`,
        `{ __typename ... on ${type.name} { ${printed.join(' ')} } }`,
        `{ ... @include(if: $yes) { ${printed.join(' ')} } __typename }`,
      ),
    );
  return fc.oneof(some, ...whole);
}

function printArguments(field: Field, ids: readonly string[]): fc.Arbitrary<string> {
  const printed = field.args.map(({ name, type }) => {
    const value = argumentValue(name, ids);
    if (value === undefined) return fc.constant('');
    return (isNonNullType(type) ? value : fc.option(value, { nil: '' })).map((text) =>
      text === '' ? '' : `${name}: ${text}`,
    );
  });
  if (printed.length === 0) return fc.constant('');
  return fc.tuple(...printed).map((args) => {
    const given = args.filter((text) => text !== '').join(', ');
    return given === '' ? '' : `(${given})`;
  });
}

function argumentValue(name: string, ids: readonly string[]): fc.Arbitrary<string> | undefined {
  const id = fc.constantFrom(...ids).map((text) => JSON.stringify(text));
  if (name === 'id' || name === 'customerId') return id;
  if (name === 'customerIds') return fc.array(id, { maxLength: 3 }).map((list) => `[${list.join(', ')}]`);
  if (name === 'consentPurpose') return fc.constantFrom('PERSONALIZATION', 'ANALYTICS', 'SUPPORT', 'null');
  if (name === 'first') return fc.constantFrom('1', '2', '100', '0', 'null');
  if (name === 'after') return fc.constantFrom('null', '"garbage"');
  return undefined;
}
