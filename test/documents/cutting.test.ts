import { expect } from 'chai';
import fc from 'fast-check';
import { compileCutter } from '../../src/documents/compileCutter.js';
import { compileTrimmer } from '../../src/documents/compileTrimmer.js';
import { compilePrinter } from '../../src/documents/compilePrinter.js';
import type { PrintedMember } from '../../src/documents/compilePrinter.js';
import { FACT_SHAPE, innerShape, isListOf } from '../../src/documents/factShape.js';
import type { MemberKind, Shape } from '../../src/documents/factShape.js';
import { factText } from '../../src/documents/documentText.js';

type Document = Record<string, unknown>;

const simple = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', '"', '\\', '\\"', '","source":"x', ']}', '{"id":', 'a'.repeat(5000), '\u2028 \u0007'),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null),
);
/** All that is cut: plain values, and lists and objects of them. */
const plain = fc.oneof(
  { weight: 4, arbitrary: simple },
  fc.array(simple, { maxLength: 3 }),
  fc.dictionary(fc.string({ unit: 'binary' }), simple, { maxKeys: 3 }),
);
const nested = fc.oneof(
  fc.array(fc.array(fc.string(), { maxLength: 2 }), { minLength: 1, maxLength: 2 }),
  fc.record({ id: fc.string(), source: fc.record({ id: fc.string() }) }),
);

function documentOf(shape: Shape, value: fc.Arbitrary<unknown>): fc.Arbitrary<Document> {
  const member = (kind: MemberKind): fc.Arbitrary<unknown> => {
    const inner = innerShape(kind);
    if (inner === undefined) return kind === 'enum' ? fc.constantFrom('analytics', 'support') : value;
    return isListOf(kind) ? fc.array(documentOf(inner, value), { maxLength: 3 }) : documentOf(inner, value);
  };
  return fc.record(Object.fromEntries(Object.entries(shape).map(([name, kind]) => [name, member(kind)])));
}

function selectionOf(shape: Shape): fc.Arbitrary<PrintedMember[]> {
  const some = fc.array(fc.constantFrom(...Object.entries(shape)), { minLength: 1, maxLength: 8 });
  return some.chain((chosen) =>
    fc.tuple(
      ...chosen.map(([member, kind], index): fc.Arbitrary<PrintedMember> => {
        const inner = innerShape(kind);
        const below = inner === undefined ? fc.constant(kind as 'value' | 'enum') : selectionOf(inner);
        return fc.record({ name: fc.constant(`n${index}_${member}`), member: fc.constant(member), kind: below });
      }),
    ),
  );
}

const textOf = (facts: readonly Document[]): string => `[${facts.map((fact) => factText('graphql', fact)).join(',')}]`;

/** Whatever is cut out of facts with nested values is right, and some of them are given up. */
function expectCutOrGivenUp(
  selections: fc.Arbitrary<PrintedMember[]>,
  cut: (wanted: readonly PrintedMember[], text: string) => string | undefined,
): void {
  const facts = fc.array(documentOf(FACT_SHAPE, fc.oneof(plain, nested)), { minLength: 1, maxLength: 3 });
  let givenUp = 0;
  fc.assert(
    fc.property(facts, selections, (documents, wanted) => {
      const text = textOf(documents);
      const found = cut(wanted, text);
      if (found === undefined) givenUp += 1;
      else expect(found).to.equal(compilePrinter('graphql', wanted)(JSON.parse(text)));
    }),
    { numRuns: 200 },
  );
  expect(givenUp).to.be.greaterThan(0);
}

describe('compileCutter', () => {
  for (const door of ['graphql', 'rest'] as const) {
    it(`gives what parsing and printing give, byte for byte, to ${door}`, () => {
      const facts = fc.array(documentOf(FACT_SHAPE, plain), { maxLength: 4 });
      fc.assert(
        fc.property(facts, selectionOf(FACT_SHAPE), (documents, wanted) => {
          const text = textOf(documents);
          const printed = compilePrinter(door, wanted)(JSON.parse(text));
          expect(compileCutter(door, FACT_SHAPE, wanted)(text)).to.equal(printed);
        }),
        { numRuns: 300 },
      );
    });
  }

  it('gives that or gives up where values are nested', () => {
    expectCutOrGivenUp(selectionOf(FACT_SHAPE), (wanted, text) => compileCutter('graphql', FACT_SHAPE, wanted)(text));
  });

  it('gives up on text of any other shape', () => {
    const wanted: PrintedMember[] = [{ name: 'attribute', member: 'attribute', kind: 'value' }];
    const cut = compileCutter('graphql', FACT_SHAPE, wanted);
    const [fact] = fc.sample(documentOf(FACT_SHAPE, plain), { seed: 1, numRuns: 1 });
    const text = textOf([fact ?? {}]);
    expect(cut(text)).to.be.a('string');
    const { confidence: _dropped, ...fewer } = JSON.parse(text.slice(1, -1)) as Document;
    const others = [JSON.stringify([fewer]), JSON.stringify([{ ...fewer, confidence: 1 }]), `${text} `, ` ${text}`];
    const broken = [text.slice(0, -1), text.replace('[{', '[,{'), `${text.slice(0, -1)},]`, '', '[', 'null', '{}'];
    for (const other of [...others, ...broken, text.replace('"attribute"', '"Attribute"')])
      expect(cut(other), other.slice(0, 80)).to.equal(undefined);
    expect(cut('[]')).to.equal('[]');
  });

  it('reads long texts, and gives up on what is too long for an expression', () => {
    const wanted: PrintedMember[] = [{ name: 'resolvedValue', member: 'resolvedValue', kind: 'value' }];
    const [fact] = fc.sample(documentOf(FACT_SHAPE, fc.constant('x')), { seed: 1, numRuns: 1 });
    const cut = (value: string): string | undefined =>
      compileCutter('graphql', FACT_SHAPE, wanted)(textOf([{ ...fact, resolvedValue: value }]));
    const long = '\\"'.repeat(2 ** 20);
    expect(cut(long)).to.equal(JSON.stringify([{ resolvedValue: long }]));
    expect(cut('"'.repeat(2 ** 23))).to.equal(undefined);
  });
});

/** What is selected in the shape's own order and names: most selections. */
function orderedSelectionOf(shape: Shape): fc.Arbitrary<PrintedMember[]> {
  const members = Object.entries(shape);
  return fc.subarray(members, { minLength: 1 }).chain((chosen) =>
    fc.tuple(
      ...chosen.map(([member, kind]): fc.Arbitrary<PrintedMember> => {
        const inner = innerShape(kind);
        const below = inner === undefined ? fc.constant(kind as 'value' | 'enum') : orderedSelectionOf(inner);
        return below.map((held) => ({ name: member, member, kind: held }));
      }),
    ),
  );
}

describe('compileTrimmer', () => {
  const trimmed = (wanted: readonly PrintedMember[], text: string): string | undefined => {
    const trim = compileTrimmer(FACT_SHAPE, wanted);
    if (trim === undefined) throw new Error('The selection is in order.');
    return trim(text);
  };

  it('gives what parsing and printing give, byte for byte', () => {
    const facts = fc.array(documentOf(FACT_SHAPE, plain), { maxLength: 4 });
    fc.assert(
      fc.property(facts, orderedSelectionOf(FACT_SHAPE), (documents, wanted) => {
        const text = textOf(documents);
        expect(trimmed(wanted, text)).to.equal(compilePrinter('graphql', wanted)(JSON.parse(text)));
      }),
      { numRuns: 500 },
    );
  });

  it('gives that or gives up where values are nested', () => {
    expectCutOrGivenUp(orderedSelectionOf(FACT_SHAPE), trimmed);
  });

  it('is for no selection of other names or another order', () => {
    const value = (name: string, member: string): PrintedMember => ({ name, member, kind: 'value' });
    const others = [
      [value('renamed', 'attribute')],
      [value('confidence', 'confidence'), value('attribute', 'attribute')],
      [{ ...value('evidence', 'evidence'), kind: [value('source', 'source'), value('id', 'id')] }],
    ];
    for (const wanted of others) expect(compileTrimmer(FACT_SHAPE, wanted)).to.equal(undefined);
  });

  it('gives up on text of any other shape, however little is wanted', () => {
    const [fact] = fc.sample(documentOf(FACT_SHAPE, simple), { seed: 1, numRuns: 1 });
    const text = textOf([fact ?? {}, fact ?? {}]);
    const { confidence: _dropped, ...fewer } = JSON.parse(textOf([fact ?? {}]).slice(1, -1)) as Document;
    const broken = [
      JSON.stringify([fewer]),
      JSON.stringify([{ ...fewer, confidence: 1 }]),
      `${text} `,
      ` ${text}`,
      `${text}\n`,
      `${text}\n\n`,
      text.slice(0, -1),
      text.replace('[{', '[,{'),
      `${text.slice(0, -1)},]`,
      text.replace('},{"attribute"', '}{"attribute"'),
      text.replace('"attribute"', '"Attribute"'),
      '',
      '[',
      ']',
      'null',
      '{}',
    ];
    fc.assert(
      fc.property(orderedSelectionOf(FACT_SHAPE), (wanted) => {
        for (const other of broken) expect(trimmed(wanted, other), other.slice(0, 80)).to.equal(undefined);
        expect(trimmed(wanted, '[]')).to.equal('[]');
      }),
      { numRuns: 100 },
    );
  });

  it('reads long and hostile texts, and gives up on what is too long for an expression', () => {
    const wanted: PrintedMember[] = [{ name: 'resolvedValue', member: 'resolvedValue', kind: 'value' }];
    const [fact] = fc.sample(documentOf(FACT_SHAPE, fc.constant('x')), { seed: 1, numRuns: 1 });
    const trim = (resolvedValue: unknown): string | undefined => trimmed(wanted, textOf([{ ...fact, resolvedValue }]));
    const long = '\\"'.repeat(2 ** 20);
    expect(trim(long)).to.equal(JSON.stringify([{ resolvedValue: long }]));
    expect(trim('"'.repeat(2 ** 23))).to.equal(undefined);
    const many = Array.from({ length: 20_000 }, () => 'a"\\1');
    expect(trim(many)).to.equal(JSON.stringify([{ resolvedValue: many }]));
    for (const nest of [[...many, [1]], { ...many, last: { a: 1 } }]) expect(trim(nest)).to.equal(undefined);
  });
});
