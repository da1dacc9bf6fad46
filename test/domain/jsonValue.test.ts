import { expect } from 'chai';
import { clearlyOversize, oversize, unfitText } from '../../src/domain/jsonValue.js';
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

  it('counts code points, not UTF-16 units', () => {
    expect(oversize('😀'.repeat(65_534))).to.equal(undefined);
    expect(oversize('😀'.repeat(65_535))).to.equal(TOO_LONG);
    for (const value of ['😀'.repeat(65_534), { a: ['😀'.repeat(30_000), '😀'.repeat(30_000)] }, { '😀': 1 }])
      expect(clearlyOversize(value)).to.equal(undefined);
    for (const value of ['😀'.repeat(65_537), { a: ['😀'.repeat(40_000), '😀'.repeat(40_000)] }])
      expect(clearlyOversize(value)).to.equal(TOO_LONG);
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

describe('a text parameter', () => {
  it('has at most 2,048 characters, which are code points', () => {
    for (const character of ['x', 'é', '😀']) {
      expect(unfitText(character.repeat(2048)), character).to.equal(undefined);
      expect(unfitText(character.repeat(2049)), character).to.equal('must have at most 2048 characters');
    }
    expect(unfitText('😀'.repeat(100_000))).to.equal('must have at most 2048 characters');
  });
});
