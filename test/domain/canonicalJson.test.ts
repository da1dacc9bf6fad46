import canonicalize from 'canonicalize';
import { expect } from 'chai';
import fc from 'fast-check';
import { canonicalJson, canonicalPieces } from '../../src/domain/canonicalJson.js';

const byTheLibrary = canonicalize as unknown as (value: unknown) => string;

describe('canonical JSON', () => {
  it('equals the output of an independent implementation of RFC 8785', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(canonicalJson(value)).to.equal(byTheLibrary(value));
      }),
      { numRuns: 300 },
    );
  });

  it('sorts names by UTF-16 code units, including integers and __proto__', () => {
    const value: unknown = JSON.parse(
      '{"b":[2,{"z":1,"a":[]}],"9":1,"10":2,"\\ufb33":3,"\\ud83d\\ude00":4,"__proto__":{"x":-0}}',
    );
    expect(canonicalJson(value)).to.equal(
      '{"10":2,"9":1,"__proto__":{"x":0},"b":[2,{"a":[],"z":1}],"\ud83d\ude00":4,"\ufb33":3}',
    );
  });

  it('omits undefined members and calls toJSON', () => {
    expect(canonicalJson({ b: undefined, a: new Date(0) })).to.equal('{"a":"1970-01-01T00:00:00.000Z"}');
    expect(canonicalJson(undefined)).to.equal('null');
    expect(canonicalJson([undefined, {}])).to.equal('[null,{}]');
  });

  it('is the same in pieces', () => {
    const held = fc.oneof(fc.jsonValue(), fc.date({ noInvalidDate: true }), fc.constant(undefined));
    const value = fc.oneof(held, fc.dictionary(fc.string(), held), fc.array(held));
    fc.assert(
      fc.property(value, fc.nat(4), (whole, depth) => {
        expect([...canonicalPieces(whole, depth)].join('')).to.equal(canonicalJson(whole));
      }),
      { numRuns: 300 },
    );
    const nested = { a: [1, [2, 3]], b: {} };
    expect([...canonicalPieces(nested, 2)].filter((piece) => piece === '[2,3]')).to.have.length(1);
  });
});
