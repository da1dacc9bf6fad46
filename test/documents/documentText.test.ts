import { expect } from 'chai';
import fc from 'fast-check';
import { compileCutter } from '../../src/documents/compileCutter.js';
import type { Selection } from '../../src/documents/compileCutter.js';
import { claimText, factText, parseClaims, parseFacts } from '../../src/documents/documentText.js';
import { CLAIM_SHAPE, FACT_SHAPE, innerShape, isListOf } from '../../src/documents/factShape.js';
import type { MemberKind, Shape } from '../../src/documents/factShape.js';
import { StoredJson } from '../../src/documents/FreeForm.js';
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

  it('is parsed but for free-form values, which stay as they are stored', () => {
    const [fact] = parseFacts(
      '[{"attribute":"a","resolvedValue":1.50,"evidence":[{"value":[ [] ]}]}]',
    ) as Document[];
    expect(fact).to.deep.include({ attribute: 'a', confidence: null, alternatives: null });
    expect(fact?.['resolvedValue']).to.be.instanceOf(StoredJson).and.include({ text: '1.50' });
    const [claim] = (fact?.['evidence'] ?? []) as Document[];
    expect(claim?.['value']).to.be.instanceOf(StoredJson).and.include({ text: '[ [] ]' });
    const [bare] = parseClaims('[{"id":"clm_1","value":null}]') as Document[];
    expect(bare?.['value']).to.equal(null);
  });

  for (const [name, shape, print] of [
    ['facts', FACT_SHAPE, (fact: object) => factText('graphql', fact)],
    ['claims', CLAIM_SHAPE, claimText],
  ] as const)
    it(`of ${name} is cut byte for byte to what a selection shows`, () => {
      const documents = fc.array(documentOf(shape), { maxLength: 3 });
      fc.assert(
        fc.property(documents, selectionOf(shape), fc.constantFrom(...DOORS), (list, selection, door) => {
          const shown = list.map((one) => selected(door, selection, asGivenOut('graphql', shape, one)));
          const cut = compileCutter(door, shape, selection)(`[${list.map(print).join(',')}]`);
          expect(cut).to.equal(`[${shown.join(',')}]`);
        }),
        { numRuns: 500 },
      );
    });

  it('that lacks members is cut as if they were null', () => {
    const cut = compileCutter('graphql', FACT_SHAPE, [
      { name: 'confidence', member: 'confidence' },
      { name: 'alternatives', member: 'alternatives', inner: [{ name: 'reason', member: 'reason' }] },
      { name: 'attribute', member: 'attribute' },
    ]);
    expect(cut('[{"attribute":"a","evidence":[]},{}]')).to.equal(
      '[{"confidence":null,"alternatives":null,"attribute":"a"},{"confidence":null,"alternatives":null,"attribute":null}]',
    );
    const alike = compileCutter('graphql', CLAIM_SHAPE, [
      { name: 'customerId', member: 'customerId' },
      { name: 'confidence', member: 'confidence' },
    ]);
    expect(alike('[{"id":"clm_1","confidence":0.5}]')).to.equal('[{"customerId":null,"confidence":0.5}]');
  });

  it('that is not as it was printed is not cut', () => {
    const cut = compileCutter('graphql', CLAIM_SHAPE, [{ name: 'id', member: 'id' }]);
    const whole = `[${claimText({ id: 'clm_1', value: { '"}': [1, '\\'] }, confidence: 0.5 })}]`;
    expect(cut(whole)).to.equal('[{"id":"clm_1"}]');
    for (let length = 1; length < whole.length; length += 1)
      expect(() => cut(whole.slice(0, length)), whole.slice(0, length)).to.throw('not as it was printed');
    for (const other of ['[{"of":"a later version","id":"clm_1"}]', '["id"]', '[,]'])
      expect(() => cut(other), other).to.throw('not as it was printed');
  });

  it('has members that differ in their second character or their length', () => {
    const check = (shape: Shape): void => {
      const names = Object.keys(shape);
      expect(new Set(names.map((name) => `${name.charAt(1)}${name.length}`)).size).to.equal(names.length);
      for (const inner of Object.values(shape).map(innerShape)) if (inner) check(inner);
    };
    check(FACT_SHAPE);
    check(CLAIM_SHAPE);
  });
});

const DOORS: readonly Door[] = ['graphql', 'rest'];

/** Some members in any order, under their own or other names, and the type's name. */
function selectionOf(shape: Shape): fc.Arbitrary<Selection> {
  return fc.shuffledSubarray(Object.entries(shape)).chain((chosen) => {
    const members = chosen.map(([member, kind], index) => {
      const inner = innerShape(kind);
      const name = fc.constantFrom(member, memberName('rest', member), `other ${index}`);
      return inner
        ? fc.record({ name, member: fc.constant(member), inner: selectionOf(inner) })
        : fc.record({ name, member: fc.constant(member) });
    });
    const typeName = fc.constantFrom([], [{ name: '__typename', typeName: '"Type"' }]);
    return fc.tuple(typeName, ...members).map(([first, ...rest]) => [...first, ...rest]);
  });
}

/** What a selection shows of a document in GraphQL's spelling, as JSON. */
function selected(door: Door, selection: Selection, document: Document): string {
  const members = selection.flatMap(({ name, member, inner, typeName }) => {
    const held = member === undefined ? JSON.parse(typeName ?? '') : document[member];
    if (door === 'rest' && held === null) return [];
    const one = (item: unknown): string => selected(door, inner ?? [], item as Document);
    const isLower = door === 'rest' && member === 'consentPurpose';
    const plain = (): string => JSON.stringify(isLower ? String(held).toLowerCase() : held);
    const value =
      inner === undefined ? plain() : Array.isArray(held) ? `[${held.map(one).join(',')}]` : one(held);
    return [`${JSON.stringify(name)}:${value}`];
  });
  return `{${members.join(',')}}`;
}
