import { expect } from 'chai';
import fc from 'fast-check';
import { claimText, factText, parseClaims, parseFacts } from '../../src/documents/documentText.js';
import { CLAIM_SHAPE, FACT_SHAPE, innerShape, isListOf } from '../../src/documents/factShape.js';
import type { MemberKind, Shape } from '../../src/documents/factShape.js';
import { memberName } from '../../src/domain/door.js';
import type { Door } from '../../src/domain/door.js';

type Document = Record<string, unknown>;

const simple = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '',
    '"',
    '\\',
    '\\"',
    '","source":"x',
    ']}',
    '{"id":',
    'a'.repeat(5000),
    '\u2028 \u0007',
    '__proto__',
  ),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
  fc.boolean(),
  fc.constantFrom(null, undefined),
);
const value = fc.oneof(
  { weight: 4, arbitrary: simple },
  fc.array(
    fc.oneof(simple, fc.array(simple)).filter((item) => item !== undefined),
    { maxLength: 3 },
  ),
  fc.record({ id: fc.string(), source: fc.record({ id: fc.string() }) }),
);

function documentOf(shape: Shape): fc.Arbitrary<Document> {
  const member = (kind: MemberKind): fc.Arbitrary<unknown> => {
    const inner = innerShape(kind);
    if (inner === undefined) return kind === 'enum' ? fc.constantFrom('analytics', 'support') : value;
    return isListOf(kind) ? fc.array(documentOf(inner), { maxLength: 3 }) : documentOf(inner);
  };
  return fc.record(Object.fromEntries(Object.entries(shape).map(([name, kind]) => [name, member(kind)])));
}

/** A document as a door gives it out, for `JSON.stringify`. */
function asGivenOut(door: Door, shape: Shape, document: Document): Document {
  const given: Document = {};
  for (const [member, kind] of Object.entries(shape)) {
    const held = document[member] ?? null;
    if (door === 'rest' && held === null) continue;
    const inner = innerShape(kind);
    const one = (item: unknown): unknown => (inner ? asGivenOut(door, inner, item as Document) : item);
    const spelled = kind === 'enum' && door === 'graphql' ? String(held).toUpperCase() : held;
    given[memberName(door, member)] = inner && Array.isArray(held) ? held.map(one) : one(spelled);
  }
  return given;
}

describe('Stored text', () => {
  for (const door of ['graphql', 'rest'] as const)
    it(`equals the facts of ${door} byte for byte`, () => {
      fc.assert(
        fc.property(documentOf(FACT_SHAPE), (fact) => {
          expect(factText(door, fact)).to.equal(JSON.stringify(asGivenOut(door, FACT_SHAPE, fact)));
        }),
      );
    });

  it('equals the claims of GraphQL byte for byte', () => {
    fc.assert(
      fc.property(documentOf(CLAIM_SHAPE), (claim) => {
        expect(claimText(claim)).to.equal(JSON.stringify(asGivenOut('graphql', CLAIM_SHAPE, claim)));
      }),
    );
  });

  it('is parsed to documents that print the same', () => {
    fc.assert(
      fc.property(fc.array(documentOf(FACT_SHAPE)), fc.array(documentOf(CLAIM_SHAPE)), (facts, claims) => {
        const factTexts = facts.map((fact) => factText('graphql', fact));
        const parsed = parseFacts(`[${factTexts.join(',')}]`) as object[];
        expect(parsed.map((fact) => factText('graphql', fact))).to.deep.equal(factTexts);
        const claimTexts = claims.map(claimText);
        expect((parseClaims(`[${claimTexts.join(',')}]`) as object[]).map(claimText)).to.deep.equal(
          claimTexts,
        );
      }),
    );
  });
});
