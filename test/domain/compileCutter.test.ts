import { expect } from 'chai';
import fc from 'fast-check';
import { compileCutter } from '../../src/domain/compileCutter.js';
import { compilePrinter } from '../../src/domain/compilePrinter.js';
import type { PrintedMember } from '../../src/domain/compilePrinter.js';
import { FACT_SHAPE, innerShape, isListOf } from '../../src/domain/factShape.js';
import type { MemberKind, Shape } from '../../src/domain/factShape.js';
import { factText } from '../../src/domain/documentText.js';

type Document = Record<string, unknown>;

const plain = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', '"', '\\', '\\"', '","source":"x', ']}', '{"id":', 'a'.repeat(5000), '\u2028 \u0007'),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null),
);
const nested = fc.oneof(fc.array(fc.string(), { maxLength: 2 }), fc.record({ id: fc.string(), source: fc.string() }));

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

  it('gives that or gives up where values are objects or lists', () => {
    const facts = fc.array(documentOf(FACT_SHAPE, fc.oneof(plain, nested)), { minLength: 1, maxLength: 3 });
    const seen = { cut: 0, givenUp: 0 };
    fc.assert(
      fc.property(facts, selectionOf(FACT_SHAPE), (documents, wanted) => {
        const text = textOf(documents);
        const cut = compileCutter('graphql', FACT_SHAPE, wanted)(text);
        if (cut !== undefined) expect(cut).to.equal(compilePrinter('graphql', wanted)(JSON.parse(text)));
        seen[cut === undefined ? 'givenUp' : 'cut'] += 1;
      }),
      { numRuns: 200 },
    );
    expect(seen.givenUp).to.be.greaterThan(0);
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
