import { expect } from 'chai';
import fc from 'fast-check';
import { displayNameProblem, nameInText } from '../../src/domain/displayName.js';

const LINE_ENDS = ['\n', '\r', '\v', '\f', '\u0085', '\u2028', '\u2029'];
const CONTROLS = [...LINE_ENDS, '\u0000', '\t', '\u001B', '\u007F', '\u009F'];
const DIRECTIONS = [...'\u061C\u200E\u200F\u202A\u202B\u202C\u202D\u202E\u2066\u2067\u2068\u2069'];

const GOOD = [
  'Acme Outfitters',
  'Müller & Söhne <GmbH>',
  'متجر الياقوت',
  'ספרי הנמל 24',
  '👩‍👩‍👧 Family 🏴󠁧󠁢󠁥󠁮󠁧󠁿',
  'می‌خواهم',
  'क्षत्रिय श्री‍',
  '株式会社　港',
];

const names = fc.string({ unit: 'grapheme', maxLength: 40 });
const mixed = fc
  .array(fc.oneof(names, fc.constantFrom(...CONTROLS), fc.constantFrom(...DIRECTIONS)), { maxLength: 12 })
  .map((parts) => parts.join(''));

/** The name without the pair that isolates it. */
function inner(text: string): string {
  return /^\u2068(.*)\u2069$/su.exec(text)?.[1] ?? text;
}

describe('displayName', () => {
  for (const name of GOOD) {
    it(`takes ${name} and shows it unchanged`, () => {
      expect(displayNameProblem(name)).to.equal(undefined);
      expect(inner(nameInText(name))).to.equal(name);
    });
  }

  it('refuses each control character and each one that sets a direction, wherever it stands', () => {
    fc.assert(
      fc.property(names, fc.constantFrom(...CONTROLS, ...DIRECTIONS), names, (before, character, after) => {
        expect(displayNameProblem(before + character + after)).to.include('one line');
      }),
    );
  });

  it('shows any name as one line that changes no direction outside of it', () => {
    fc.assert(
      fc.property(mixed, (name) => {
        const shown = inner(nameInText(name));
        for (const character of [...CONTROLS, ...DIRECTIONS]) expect(shown).not.to.include(character);
        expect(displayNameProblem(shown)).to.equal(undefined);
      }),
    );
  });

  it('shows a good name as it is, and a shown one alike', () => {
    fc.assert(
      fc.property(mixed, (name) => {
        const shown = nameInText(name);
        if (displayNameProblem(name) === undefined) expect(inner(shown)).to.equal(name);
        expect(nameInText(shown)).to.equal(shown);
      }),
    );
  });

  it('isolates names that are written from right to left, also in part, and no others', () => {
    const isolated = (name: string): boolean => nameInText(name) !== inner(nameInText(name));
    expect(GOOD.filter(isolated)).to.deep.equal(['متجر الياقوت', 'ספרי הנמל 24', 'می‌خواهم']);
    fc.assert(
      fc.property(mixed, mixed, fc.constantFrom('ספר', 'متجر', '𐤀', '𞤀', 'ﷺ', 'ܐ'), (before, after, word) => {
        expect(isolated(before + word + after)).to.equal(true);
      }),
    );
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (name) => {
        expect(isolated(name)).to.equal(false);
      }),
    );
  });
});
