import { expect } from 'chai';
import fc from 'fast-check';
import { prefixEnd } from '../../src/domain/prefixEnd.js';

const compare = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

const CHARACTERS = [
  'a',
  'z',
  '\u007f',
  '\u0080',
  '\u{d7ff}',
  '\u{e000}',
  '\u{ffff}',
  '\u{10ffff}',
  '€',
  '💩',
];
const text = fc.array(fc.constantFrom(...CHARACTERS), { maxLength: 5 }).map((parts) => parts.join(''));

describe('prefixEnd', () => {
  it('bounds exactly the texts that begin with the prefix, in the order of bytes', () => {
    fc.assert(
      fc.property(text, text, (prefix, value) => {
        const end = prefixEnd(prefix);
        const within = compare(value, prefix) >= 0 && (end === undefined || compare(value, end) < 0);
        expect(within).to.equal(value.startsWith(prefix));
      }),
      { numRuns: 2000, examples: [['\u{d7ff}', '\u{d7ff}\u{10ffff}']] },
    );
  });

  it('bounds a prefix of any length', () => {
    expect(prefixEnd('x'.repeat(1_000_000))).to.equal(`${'x'.repeat(999_999)}y`);
  });

  it('is undefined if nothing can be greater', () => {
    expect([prefixEnd(''), prefixEnd('\u{10ffff}'), prefixEnd('a\u{10ffff}')]).to.deep.equal([
      undefined,
      undefined,
      'b',
    ]);
  });
});
