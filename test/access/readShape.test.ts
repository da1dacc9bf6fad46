import { expect } from 'chai';
import {
  GraphQLBoolean,
  GraphQLEnumType,
  GraphQLError,
  GraphQLFloat,
  GraphQLID,
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLScalarType,
  GraphQLString,
} from 'graphql';
import type { GraphQLInputFieldConfig, GraphQLInputType } from 'graphql';
import type { Constraints } from '../../src/access/constrained.js';
import { coercedSpelling, readBodyShape, readShape, restSpelling } from '../../src/access/inputShape.js';
import type { InputShape, Spelling } from '../../src/access/inputShape.js';
import { DateTimeScalar, JsonObjectScalar } from '../../schema/scalars.js';
import { countReads } from '../support/countReads.js';
import { turnsDuring } from '../support/turnsDuring.js';

const COLOUR = new GraphQLEnumType({
  name: 'Colour',
  values: { DARK_RED: { value: 'dark_red' }, BLUE: { value: 'blue' } },
});
const EVEN = new GraphQLScalarType({
  name: 'Even',
  parseValue: (value) => {
    if (value === 13) throw new RangeError('Not for clients.');
    if (Number(value) % 2 === 1) throw new GraphQLError('must be even');
    return value;
  },
});

function field(type: GraphQLInputType, constraints?: Constraints): GraphQLInputFieldConfig {
  return { type, extensions: constraints === undefined ? {} : { constraints } };
}

const NO_X: Constraints = {
  check: (value) =>
    (Array.isArray(value) ? value : [value]).flatMap((item, index) =>
      item === 'x'
        ? [{ code: 'no_x', message: 'must not be x', path: Array.isArray(value) ? `[${index}]` : '' }]
        : [],
    ),
};

const ITEM = new GraphQLInputObjectType({
  name: 'Item',
  extensions: { constraints: {} },
  fields: { itemName: field(new GraphQLNonNull(GraphQLString), { maxLength: 3 }) },
});
const NESTED = new GraphQLInputObjectType({
  name: 'Nested',
  fields: { itemList: field(new GraphQLList(ITEM)), madeAt: field(DateTimeScalar) },
});
const THING = new GraphQLInputObjectType({
  name: 'Thing',
  extensions: {
    constraints: {
      check: ({ firstName, count }: { firstName?: string; count?: number }) => [
        ...(firstName === 'Nobody'
          ? [{ path: 'firstName', code: 'nobody', message: 'must be somebody' }]
          : []),
        ...(count === 99 ? [{ code: 'all', message: 'must not be all' }] : []),
      ],
    },
  },
  fields: {
    firstName: field(GraphQLString, { minLength: 2, ...NO_X }),
    someId: field(GraphQLID),
    isOld: field(GraphQLBoolean),
    count: field(GraphQLInt, { minimum: 1, maximum: 99 }),
    share: field(GraphQLFloat),
    colour: field(COLOUR),
    even: field(EVEN),
    extra: field(JsonObjectScalar),
    tags: field(new GraphQLList(GraphQLString), { minItems: 1, maxItems: 3, minLength: 1, ...NO_X }),
    pair: field(new GraphQLList(GraphQLString), { minItems: 2 }),
    letter: field(GraphQLString, NO_X),
    letters: field(new GraphQLList(GraphQLString), {
      maxLength: 1,
      check: (value) => [{ code: 'seen', message: JSON.stringify(value) }],
    }),
    needed: field(new GraphQLNonNull(GraphQLString)),
    inner: field(ITEM),
    inners: field(new GraphQLList(new GraphQLNonNull(ITEM))),
    batch: field(new GraphQLList(ITEM), { batch: true, maxItems: 2000 }),
  },
});

const read = (body: unknown, spelling: Spelling = restSpelling): Promise<InputShape> =>
  readShape(THING, body, spelling);

async function problemsOf(body: Record<string, unknown>, spelling?: Spelling): Promise<string[]> {
  const { problems } = await read({ needed: 'x', ...body }, spelling);
  return problems.map(({ field: at, code, message }) => `${at}: ${code}: ${message}`);
}

describe('the shape of an input', () => {
  const wrong: [body: Record<string, unknown>, ...problems: string[]][] = [
    [{ first_name: 1 }, 'first_name: invalid_type: must be a string'],
    [{ first_name: 'a' }, 'first_name: too_short: must have at least 2 characters'],
    [{ first_name: 'x' }, 'first_name: too_short: must have at least 2 characters'],
    [{ letter: 'x' }, 'letter: no_x: must not be x'],
    [
      { letters: ['a', 'bb', 'c'] },
      'letters[1]: too_long: must have at most 1 character',
      'letters: seen: ["a",null,"c"]',
    ],
    [{ first_name: 'a\0' }, 'first_name: invalid_type: must not contain the NUL character'],
    [{ some_id: 1 }, 'some_id: invalid_type: must be a string'],
    [{ is_old: 'true' }, 'is_old: invalid_type: must be true or false'],
    [{ count: 1.5 }, 'count: invalid_type: must be an integer'],
    [{ count: 2 ** 60 }, 'count: invalid_type: must be an integer'],
    [{ count: 0 }, 'count: out_of_range: must be at least 1'],
    [{ share: '1' }, 'share: invalid_type: must be a number'],
    [{ colour: 'BLUE' }, 'colour: invalid_value: must be one of dark_red, blue'],
    [{ even: 3 }, 'even: invalid_value: must be even'],
    [{ even: 13 }, 'even: invalid_value: is not valid'],
    [{ tags: 'a' }, 'tags: invalid_type: must be an array'],
    [{ tags: [] }, 'tags: too_few_items: must have at least 1 item'],
    [{ pair: ['a'] }, 'pair: too_few_items: must have at least 2 items'],
    [{ tags: ['a', 'b', 'c', 'd'] }, 'tags: too_many_items: must have at most 3 items'],
    [{ tags: ['a', null] }, 'tags[1]: invalid_type: must not be null'],
    [
      { tags: ['', 'x'] },
      'tags[0]: too_short: must have at least 1 character',
      'tags[1]: no_x: must not be x',
    ],
    [{ needed: null }, 'needed: required: is required'],
    [{ inner: [] }, 'inner: invalid_type: must be an object'],
    [{ inner: 'x' }, 'inner: invalid_type: must be an object'],
    [{ inner: {} }, 'inner.item_name: required: is required'],
    [{ inner: { item_name: 'x', itemName: 'x' } }, 'inner.itemName: unknown_field: is not a known field'],
    [
      { inners: [{ item_name: 'x' }, { item_name: 'long' }] },
      'inners[1].item_name: too_long: must have at most 3 characters',
    ],
    [{ first_name: 'Nobody' }, 'first_name: nobody: must be somebody'],
    [{ count: 99 }, 'undefined: all: must not be all'],
    [{ toString: 1 }, 'toString: unknown_field: is not a known field'],
    [{ '': 1 }, '"": unknown_field: is not a known field'],
    [{ inner: { item_name: 'x', '': 1 } }, 'inner."": unknown_field: is not a known field'],
  ];
  for (const [body, ...problems] of wrong)
    it(`is refused as ${JSON.stringify(body)}`, async () => {
      expect(await problemsOf(body)).to.deep.equal(problems);
    });

  it('accepts values within their bounds and maps them to the names of GraphQL', async () => {
    const body = {
      first_name: 'ab',
      some_id: '1',
      is_old: false,
      count: 98,
      share: 0,
      colour: 'dark_red',
      even: 2,
      tags: ['a', 'b', 'c'],
      pair: ['a', 'b'],
      needed: '',
      inner: { item_name: 'abc' },
      inners: [],
    };
    const { value, problems, rejected } = await read(body);
    expect([problems, rejected.size]).to.deep.equal([[], 0]);
    expect(value).to.deep.equal({
      firstName: 'ab',
      someId: '1',
      isOld: false,
      count: 98,
      share: 0,
      colour: 'DARK_RED',
      even: 2,
      tags: ['a', 'b', 'c'],
      pair: ['a', 'b'],
      needed: '',
      inner: { itemName: 'abc' },
      inners: [],
    });
  });

  it('distinguishes null from absent', async () => {
    expect((await read({ needed: 'x', first_name: null })).value).to.deep.equal({
      needed: 'x',
      firstName: null,
    });
    expect(Object.keys((await read({ needed: 'x' })).value as object)).to.deep.equal(['needed']);
  });

  it('allows 1,000 items by default', async () => {
    const inners = Array.from({ length: 1001 }, () => ({ item_name: 'a' }));
    expect(await problemsOf({ inners })).to.deep.equal([
      'inners: too_many_items: must have at most 1000 items',
    ]);
    expect(await problemsOf({ inners: inners.slice(1) })).to.deep.equal([]);
  });

  it('checks the bounds of values that GraphQL coerced, without parsing them again', async () => {
    const spelled = (body: Record<string, unknown>): Promise<string[]> => problemsOf(body, coercedSpelling);
    expect(await spelled({ even: 3, colour: 'anything' })).to.deep.equal([]);
    expect(await spelled({ firstName: 'a' })).to.deep.equal([
      'firstName: too_short: must have at least 2 characters',
    ]);
    expect((await read({ needed: 'x', colour: 'blue' }, coercedSpelling)).value).to.deep.equal({
      needed: 'x',
      colour: 'blue',
    });
  });

  it('looks at an input type once for each spelling', async () => {
    const type = new GraphQLInputObjectType({ name: 'Read', fields: { firstName: field(GraphQLString) } });
    let looks = 0;
    const getFields = type.getFields.bind(type);
    type.getFields = () => {
      looks += 1;
      return getFields();
    };
    for (let time = 0; time < 3; time += 1) {
      expect((await readShape(type, { first_name: 'Ada' }, restSpelling)).value).to.deep.equal({
        firstName: 'Ada',
      });
      expect((await readShape(type, { firstName: 'Ada' }, coercedSpelling)).value).to.deep.equal({
        firstName: 'Ada',
      });
    }
    expect(looks).to.equal(2);
  });

  it('refuses a free-form object that is too large before it looks at every member', async () => {
    const members = Array.from({ length: 200_000 }, (_, index) => [`k${index}`, index] as const);
    const { value, reads } = countReads(Object.fromEntries(members));
    expect(await problemsOf({ extra: value })).to.deep.equal([
      'extra: too_long: must not be longer than 65536 characters of JSON',
    ]);
    expect(reads()).to.be.below(65_536);
  });

  it('names a field with at most 200 characters', async () => {
    const [at200, at201] = await Promise.all(
      [200, 201].map(async (length) => (await problemsOf({ ['n'.repeat(length)]: 1 }))[0]?.split(':')[0]),
    );
    expect(at200).to.equal('n'.repeat(200));
    expect(at201).to.equal(`${'n'.repeat(199)}…`);
    const { problems } = await read({ needed: 'x', [`${'n'.repeat(198)}💩💩`]: 1 });
    expect(problems[0]?.field?.isWellFormed()).to.equal(true);
  });
});

describe('the shape of a batch', () => {
  const batch = (...items: unknown[]): Promise<InputShape> => read({ needed: 'x', batch: items });

  it('rejects bad items one by one, with paths that begin at the item', async () => {
    const { problems, rejected, value } = await batch(
      { item_name: 'a' },
      { item_name: 'long', y: 1 },
      null,
      [],
      'z',
    );
    expect(problems).to.deep.equal([]);
    expect((value as { batch: unknown[] }).batch).to.deep.equal([{ itemName: 'a' }, null, null, null, null]);
    expect([...rejected.keys()]).to.deep.equal([1, 2, 3, 4]);
    expect(rejected.get(1)).to.deep.equal({
      details: [
        { code: 'too_long', message: 'must have at most 3 characters', field: 'item_name' },
        { code: 'unknown_field', message: 'is not a known field', field: 'y' },
      ],
      omitted: 0,
      raw: { item_name: 'long', y: 1 },
    });
    for (const [place, raw] of [
      [2, null],
      [3, []],
      [4, 'z'],
    ] as const)
      expect(rejected.get(place)).to.deep.equal({
        details: [{ code: 'invalid_type', message: 'must be an object' }],
        omitted: 0,
        raw,
      });
  });

  it('keeps rejected items and their problems in REST spelling for both doors', async () => {
    const own = field(new GraphQLList(NESTED), { batch: true });
    const type = new GraphQLInputObjectType({ name: 'OfNested', fields: { batch: own } });
    const rejectedOf = async (spelling: Spelling, ...items: unknown[]): Promise<unknown[]> => [
      ...(await readShape(type, { batch: items }, spelling)).rejected.values(),
    ];
    const inRest = { item_list: [{ item_name: 'long' }], made_at: '2026-01-02T04:04:05+01:00' };
    const coerced = { itemList: [{ itemName: 'long' }], madeAt: '2026-01-02T03:04:05.000Z' };
    const [rejected] = await rejectedOf(restSpelling, inRest);
    expect(rejected).to.deep.equal({
      details: [
        { code: 'too_long', message: 'must have at most 3 characters', field: 'item_list[0].item_name' },
      ],
      omitted: 0,
      raw: { ...inRest, made_at: coerced.madeAt },
    });
    expect(await rejectedOf(coercedSpelling, coerced)).to.deep.equal([rejected]);
    const unordered = { made_at: coerced.madeAt, item_list: [{ item_name: 'a\0' }] };
    expect(await rejectedOf(restSpelling, unordered)).to.deep.equal(
      await rejectedOf(coercedSpelling, { ...coerced, itemList: [{ itemName: 'a\0' }] }),
    );
    expect(await rejectedOf(restSpelling, { made_at: 'noon', item_list: 7 })).to.have.deep.nested.property(
      '[0].raw',
      { made_at: 'noon', item_list: 7 },
    );
  });

  it('yields to others while it is long', async () => {
    const items = Array.from({ length: 1000 }, () => ({ item_name: 'a' }));
    expect(await turnsDuring(() => batch(...items))).to.be.greaterThan(2);
  });

  it('reports 50 problems of an item and the number of the others', async () => {
    const item = (unknown: number): unknown =>
      Object.fromEntries(Array.from({ length: unknown }, (_, at) => [`k${at}`, 1]));
    const { rejected } = await batch(item(49), item(50));
    // The name that is missing is one more.
    expect([rejected.get(0)?.details.length, rejected.get(0)?.omitted]).to.deep.equal([50, 0]);
    expect([rejected.get(1)?.details.length, rejected.get(1)?.omitted]).to.deep.equal([50, 1]);
  });

  it('reports 1,000 problems in total, then one for each item', async () => {
    const bad = Object.fromEntries(Array.from({ length: 39 }, (_, at) => [`k${at}`, 1]));
    const { rejected } = await batch(...Array.from({ length: 30 }, () => bad));
    const told = [...rejected.values()].map(({ details, omitted }) => [details.length, omitted]);
    expect(told.slice(0, 25)).to.deep.equal(Array.from({ length: 25 }, () => [40, 0]));
    expect(told.slice(25)).to.deep.equal(Array.from({ length: 5 }, () => [1, 39]));
  });

  it('keeps an item without a canonical form as text', async () => {
    let deep: unknown = 1;
    for (let depth = 0; depth < 40; depth += 1) deep = [deep];
    const { rejected } = await batch({ item_name: 'a\0' }, { item_name: 'long', deep });
    expect(rejected.get(0)?.raw).to.equal('{"item_name":"a\\u0000"}');
    expect(rejected.get(1)?.raw).to.equal(JSON.stringify({ item_name: 'long', deep }));
    const members: unknown = JSON.parse(`${'{"b":[1,"\\u0000",null,{}],"a":'.repeat(60)}1${'}'.repeat(60)}`);
    expect((await batch({ deep: members })).rejected.get(0)?.raw).to.equal(JSON.stringify({ deep: members }));
    let bottomless: unknown = 1;
    for (let depth = 0; depth < 200_000; depth += 1) bottomless = [bottomless];
    expect((await batch({ deep: bottomless })).rejected.get(0)?.raw).to.equal('nested too deep');
  });
});

describe('the shape of a body', () => {
  it('is an object', async () => {
    for (const body of [[], 'x', 1, null, undefined, true])
      expect(await readBodyShape(THING, body)).to.deep.equal({
        value: undefined,
        problems: [{ code: 'invalid_type', message: 'must be an object' }],
        rejected: new Map(),
      });
    expect((await readBodyShape(THING, { needed: 'x' })).value).to.deep.equal({ needed: 'x' });
  });

  it('has no member where there are no parameters', async () => {
    expect(await readBodyShape(undefined, {})).to.deep.equal({
      value: undefined,
      problems: [],
      rejected: new Map(),
    });
    expect((await readBodyShape(undefined, { a: 1, '': 3, ['n'.repeat(300)]: 2 })).problems).to.deep.equal([
      { code: 'unknown_field', message: 'is not a known field', field: 'a' },
      { code: 'unknown_field', message: 'is not a known field', field: '""' },
      { code: 'unknown_field', message: 'is not a known field', field: `${'n'.repeat(199)}…` },
    ]);
  });
});
