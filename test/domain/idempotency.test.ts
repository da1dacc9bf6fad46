import { expect } from 'chai';
import fc from 'fast-check';
import { payloadHash, readIdempotencyKey, REPLAY_MS } from '../../src/domain/idempotency.js';
import { ServiceError } from '../../src/errors.js';

const printable = (min: number, max: number): fc.Arbitrary<string> =>
  fc.string({
    unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
    minLength: min,
    maxLength: max,
  });

function codeOf(sent: string | undefined): string {
  try {
    readIdempotencyKey(sent);
    return 'accepted';
  } catch (error) {
    if (error instanceof ServiceError) return error.code;
    throw error;
  }
}

/** The same JSON with the members of every object in another order. */
function reordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reordered);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, item]) => [name, reordered(item)]),
  );
}

describe('idempotency', () => {
  it('keeps a quote that stands at one end alone', () => {
    for (const key of ['"0123456789abcdef', '0123456789abcdef"'])
      expect(readIdempotencyKey(key)).to.equal(key);
  });

  it('accepts 16 to 255 printable ASCII characters, quoted or not, as the same key', () => {
    fc.assert(
      fc.property(printable(16, 255), (key) => {
        fc.pre(!(key.startsWith('"') && key.endsWith('"')));
        expect(readIdempotencyKey(key)).to.equal(key);
        expect(readIdempotencyKey(`"${key}"`)).to.equal(key);
      }),
    );
  });

  it('counts the characters between the quotes', () => {
    for (const [length, verdict] of [
      [15, 'idempotency_key_invalid'],
      [16, 'accepted'],
      [255, 'accepted'],
      [256, 'idempotency_key_invalid'],
    ] as const) {
      expect(codeOf('k'.repeat(length)), String(length)).to.equal(verdict);
      expect(codeOf(`"${'k'.repeat(length)}"`), `quoted ${length}`).to.equal(verdict);
    }
  });

  it('requires a key, and refuses other than printable ASCII', () => {
    expect(codeOf(undefined)).to.equal('idempotency_key_required');
    expect(codeOf('')).to.equal('idempotency_key_required');
    expect(codeOf('"')).to.equal('idempotency_key_invalid');
    expect(codeOf('""')).to.equal('idempotency_key_invalid');
    expect(codeOf(`0123456789abcdef\t`)).to.equal('idempotency_key_invalid');
    expect(codeOf(`\t0123456789abcdef`)).to.equal('idempotency_key_invalid');
    expect(codeOf(`0123456789abcdefé`)).to.equal('idempotency_key_invalid');
  });

  it('replays an answer for 24 hours', () => {
    expect(REPLAY_MS).to.equal(86_400_000);
  });

  it('hashes as earlier versions did for stored keys', () => {
    const written =
      '{"input":{"zeta":[1,-0,1e21,0.1,true,null,[],{}],"10":"ten","9":"nine",' +
      '"name":"Zoë \\u20ac \\ud83d\\ude00 \\u0007\\"\\\\/","a":{"b":{"d":1,"c":[{"y":1,"x":2}]}}},' +
      '"rejected":[[0,{"b":1,"a":2}],[3,"{\\"item_name\\":\\"a\\\\u0000\\"}"]]}';
    expect(payloadHash('ingestClaims', JSON.parse(written))).to.equal(
      'ea614159b8cc5caeb59cb75fcc28d79d5f7a239c3b6aea23495c95b2b0045a39',
    );
  });

  it('hashes the value, not its notation', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const written: unknown = JSON.parse(JSON.stringify(value));
        expect(payloadHash('op', { input: reordered(written) })).to.equal(
          payloadHash('op', { input: written }),
        );
      }),
    );
  });

  it('distinguishes payloads and operations', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        const [a, b] = [one, other].map((value) => JSON.parse(JSON.stringify(value)) as unknown);
        fc.pre(JSON.stringify(reordered(reordered(a))) !== JSON.stringify(reordered(reordered(b))));
        try {
          expect(a).to.deep.equal(b);
        } catch {
          expect(payloadHash('op', a)).to.not.equal(payloadHash('op', b));
        }
        expect(payloadHash('createApp', a)).to.not.equal(payloadHash('updateApp', a));
      }),
    );
  });
});
