import { expect } from 'chai';
import { clearlyOversize, oversize } from '../../src/domain/jsonValue.js';
import type { JsonValue } from '../../src/domain/jsonValue.js';
import { countReads } from '../support/countReads.js';

const TOO_LONG = 'must not be longer than 65536 characters of JSON';

describe('the size of a free-form value', () => {
  const members = (count: number): Record<string, JsonValue> =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, index]));

  it('is at most 65,536 characters of JSON', () => {
    expect(oversize('x'.repeat(65_534))).to.equal(undefined);
    expect(oversize('x'.repeat(65_535))).to.equal(TOO_LONG);
    expect(oversize(undefined)).to.equal(undefined);
  });

  it('is clearly too large where text, names or members alone exceed it, at any allowed depth', () => {
    for (const value of [
      'x'.repeat(65_537),
      [{ inner: 'x'.repeat(65_537) }],
      { ['k'.repeat(65_537)]: 1 },
      members(65_537),
      Array(65_537).fill(1),
      [Array(40_000).fill(1), Array(40_000).fill(1)],
      { a: members(9000), b: { c: members(9000) } },
    ])
      expect(clearlyOversize(value)).to.equal(TOO_LONG);
  });

  it('is never clearly too large where its JSON is not, nor only because it is deep', () => {
    for (const value of [null, 'x'.repeat(65_534), members(5000), Array(30_000).fill(''), []])
      expect(clearlyOversize(value), oversize(value)).to.equal(undefined);
    expect(clearlyOversize(JSON.parse('['.repeat(5000) + ']'.repeat(5000)))).to.equal(undefined);
  });

  it('is found without reading beyond the bound', () => {
    const { value, reads } = countReads(members(200_000));
    expect(clearlyOversize(value)).to.equal(TOO_LONG);
    expect(reads()).to.be.below(65_536);
  });
});
