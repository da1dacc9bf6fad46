import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { PURPOSES } from '../../src/domain/purposes.js';

/** Files that name every purpose by hand, with the spelling that each uses. */
const LISTS: Readonly<Record<string, (purpose: string) => string>> = {
  'docs/contract.md': (purpose) => `\`${purpose}\``,
  'dashboard/src/pages/customer/purposes.ts': (purpose) => `'${purpose.toUpperCase()}',`,
  'dashboard/src/i18n/en.ts': (purpose) => ` ${purpose.toUpperCase()}: '`,
  'dashboard/src/i18n/de.ts': (purpose) => ` ${purpose.toUpperCase()}: '`,
};

describe('the consent purposes', () => {
  for (const [file, spell] of Object.entries(LISTS))
    it(`are all named in ${file}`, () => {
      const text = readFileSync(file, 'utf8');
      expect(PURPOSES.filter((purpose) => !text.includes(spell(purpose)))).to.deep.equal([]);
    });
});
