import { expect } from 'chai';
import fc from 'fast-check';
import { displayNameProblem, nameInText } from '../../src/domain/displayName.js';

const LINE_ENDS = ['\n', '\r', '\v', '\f', '\u0085', '\u2028', '\u2029'];
const CONTROLS = [...LINE_ENDS, '\u0000', '\t', '\u001B', '\u007F', '\u009F'];
const DIRECTIONS = [...'\u061C\u200E\u200F\u202A\u202B\u202C\u202D\u202E\u2066\u2067\u2068\u2069'];

const HIDDEN = [
  ...'\u206A\u206B\u206C\u206D\u206E\u206F\uFFF9\uFFFA\uFFFB',
  ...['\u{E0001}', '\u{E0020}', '\u{E0061}', '\u{E007E}', '\u{E007F}'],
];

const BLANKS = [
  ...' \u00A0\u00AD\u034F\u115F\u1160\u1680\u17B4\u180B\u180E\u2003\u200B\u200C\u200D\u2060\u2800',
  ...'\u3000\u3164\uFE0F\uFEFF\uFFA0\u{1D159}\u{1D173}\u{E0100}\u{E0FFF}',
];

const GOOD = [
  'Acme Outfitters',
  'Müller & Söhne <GmbH>',
  'متجر الياقوت',
  'ספרי הנמל 24',
  '👩‍👩‍👧 Family 🏴󠁧󠁢󠁥󠁮󠁧󠁿',
  'می‌خواهم',
  'क्षत्रिय श्री‍',
  '株式会社　港',
  '❤️',
  '7',
  '24*7',
];

const names = fc.string({ unit: 'grapheme', maxLength: 40 });
const mixed = fc
  .array(fc.oneof(names, fc.constantFrom(...CONTROLS), fc.constantFrom(...DIRECTIONS, ...HIDDEN)), {
    maxLength: 12,
  })
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

  it('refuses each character that is hidden, controls or sets a direction, wherever it stands', () => {
    const refused = fc.constantFrom(...CONTROLS, ...DIRECTIONS, ...HIDDEN);
    fc.assert(
      fc.property(names, refused, names, (before, character, after) => {
        expect(displayNameProblem(before + character + after)).to.include('one line');
      }),
    );
  });

  it('refuses names without a visible character, and shows something instead', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...BLANKS), { maxLength: 8 }), names, (blanks, name) => {
        const blank = blanks.join('');
        expect(displayNameProblem(blank)).to.include('visible');
        expect(nameInText(blank, 'app_1')).to.equal('app_1');
        expect(displayNameProblem(blank + name)).to.equal(displayNameProblem(name));
      }),
    );
  });

  it('refuses what hides in the tags of a flag', () => {
    const tags = (text: string): string =>
      String.fromCodePoint(...[...text].map((one) => 0xe0000 + (one.codePointAt(0) ?? 0)));
    const flag = (text: string): string => `🏴${tags(text)}\u{E007F}`;
    for (const name of [flag('gbsct'), flag('us06'), `${flag('gbwls')}${flag('gbeng')}!`])
      expect(displayNameProblem(name), name).to.equal(undefined);
    for (const name of [`Acme${tags('us06')}`, `🏴${tags('us06')}`, flag('of evil.example'), flag('US')]) {
      expect(displayNameProblem(name), name).to.include('hidden');
      expect(nameInText(name)).to.match(/^(Acme|🏴)$/u);
    }
  });

  it('shows any name as one line that changes no direction outside of it', () => {
    fc.assert(
      fc.property(mixed, (name) => {
        const shown = inner(nameInText(name, 'app_1'));
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
