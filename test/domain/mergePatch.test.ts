import { expect } from 'chai';
import fc from 'fast-check';
import type { JsonValue } from '../../src/domain/jsonValue.js';
import { mergePatch, withoutNulls } from '../../src/domain/mergePatch.js';

const json = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as JsonValue);

/** The examples of RFC 7386, appendix A. */
const EXAMPLES: [JsonValue, JsonValue, JsonValue][] = [
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [
    ['a', 'b'],
    ['c', 'd'],
    ['c', 'd'],
  ],
  [{ a: 'b' }, ['c'], ['c']],
  [{ a: 'foo' }, null, null],
  [{ a: 'foo' }, 'bar', 'bar'],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: 'b', c: null }, { a: 'b' }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
];

describe('mergePatch', () => {
  it('does what RFC 7396 shows', () => {
    for (const [target, patch, result] of EXAMPLES) {
      expect(mergePatch(target, patch), JSON.stringify([target, patch])).to.deep.equal(result);
    }
  });

  it('is idempotent and leaves its arguments alone', () => {
    fc.assert(
      fc.property(json, json, (target, patch) => {
        const [before, asked] = [JSON.stringify(target), JSON.stringify(patch)];
        const once = mergePatch(target, patch);
        expect(mergePatch(once, patch)).to.deep.equal(once);
        expect([JSON.stringify(target), JSON.stringify(patch)]).to.deep.equal([before, asked]);
      }),
    );
  });

  it('treats __proto__ as any other name', () => {
    const patch = JSON.parse('{"__proto__": {"polluted": true}}') as JsonValue;
    const merged = mergePatch({}, patch);
    expect(Object.hasOwn(merged as object, '__proto__')).to.equal(true);
    expect(({} as Record<string, unknown>)['polluted']).to.equal(undefined);
    expect(JSON.stringify(withoutNulls(patch))).to.equal('{"__proto__":{"polluted":true}}');
  });

  it('leaves no null in a profile, and nothing else out', () => {
    fc.assert(
      fc.property(json, (value) => {
        const kept = withoutNulls(value);
        expect(withoutNulls(kept)).to.deep.equal(kept);
        expect(mergePatch({}, { value })).to.deep.equal(
          value === null ? {} : { value: mergePatch(undefined, value) },
        );
      }),
    );
  });
});
