import { expect } from 'chai';
import fc from 'fast-check';
import { streamSafe } from '../../src/domain/streamSafe.js';

const FORMS = ['NFC', 'NFD', 'NFKC'] as const;

const form = fc.constantFrom(...FORMS);

const mark = fc.constantFrom(
  '\u0301',
  '\u0316',
  '\u0334',
  '\u0345',
  '\u093c',
  '\u0e38',
  '\u{1e944}',
  '\uff9e',
);

/** Letters, some with marks of their own, each with up to so many marks behind it. */
function textOf(marks: number): fc.Arbitrary<string> {
  const letter = fc.oneof(
    fc.constantFrom('a', 'Ω', '각', 'Å', '\u00a8', '4', ' '),
    fc.string({ maxLength: 2 }),
  );
  const piece = fc
    .tuple(letter, fc.array(mark, { maxLength: marks, size: 'max' }))
    .map(([start, rest]) => `${start}x${rest.join('')}`);
  return fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));
}

/** Whether normalisation moves a character past another mark. */
function isMoved(character: string): boolean {
  const first = String.fromCodePoint(character.normalize('NFKD').codePointAt(0) ?? 0);
  return [`\u0345${first}`, `${first}\u0334`].some((text) => text.normalize('NFKD') !== text);
}

describe('streamSafe', () => {
  it('normalises a text with at most 30 marks in a row as JavaScript does', () => {
    fc.assert(
      fc.property(textOf(30), form, (text, to) => {
        expect(streamSafe(text, to)).to.equal(text.normalize(to));
      }),
    );
  });

  it('adds nothing but U+034F to longer runs, and no second one the next time', () => {
    fc.assert(
      fc.property(textOf(200), form, (text, to) => {
        const once = streamSafe(text, to);
        expect(streamSafe(once, to)).to.equal(once);
        expect(once.replaceAll('\u034f', '').normalize(to)).to.equal(text.normalize(to));
      }),
    );
  });

  it('breaks a run of any characters that normalisation would put in order', () => {
    const unbroken: string[] = [];
    for (let point = 0; point <= 0x10ffff; point += 1) {
      const character = String.fromCodePoint(point);
      if (isMoved(character) && !streamSafe(character.repeat(31), 'NFD').includes('\u034f'))
        unbroken.push(point.toString(16));
    }
    expect(unbroken).to.deep.equal([]);
  });

  it('takes time in proportion to the length of a run', () => {
    const half = 60_000;
    const texts = {
      'marks out of order': `a${'\u0301'.repeat(half)}${'\u0316'.repeat(half)}`,
      'marks in turn': 'a\u0301'.concat('\u0316\u0301'.repeat(half)),
      'half-width sound marks': `a${'\uff9e'.repeat(half)}${'\u0334'.repeat(half)}`,
      'marks that are made of two': `a${'\u0344'.repeat(half)}${'\u0f73'.repeat(half)}`,
      'vowels of Kirat Rai': '\u{16d67}'.repeat(half),
      'joined vowels of Kirat Rai': '\u{16d68}'.repeat(half),
      'vowels of Kirat Rai and Korean': '\u{16d67}\u{16d67}\u1161'.repeat(half),
      'vowels of Kirat Rai and half-width Korean': '\u{16d67}\u{16d67}\uffc2'.repeat(half),
      'vowels of Kirat Rai and final consonants': '\u{16d67}\u{16d67}\u11a8'.repeat(half),
    };
    for (const [what, text] of Object.entries(texts)) {
      const started = process.cpuUsage().user;
      for (const to of FORMS) streamSafe(text, to);
      // Not a measurement: without breaks each takes seconds.
      expect((process.cpuUsage().user - started) / 1000, what).to.be.below(1000);
    }
  });
});
