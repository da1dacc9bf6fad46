import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';

const FOLDER = 'dashboard/src';
const TEXTS = join(FOLDER, 'i18n');

/** Names of texts. Those in capitals are values of enums, which pages look up. */
function namesIn(source: string): string[] {
  const texts = source.slice(source.indexOf('export const en'));
  return [...texts.matchAll(/^ +([a-z]\w*):/gm)].map(([, name = '']) => name);
}

function unusedIn(source: string, pages: string): string[] {
  const words = new Set(pages.match(/\w+/g));
  return namesIn(source).filter((name) => !words.has(name));
}

describe("the dashboard's texts", () => {
  it('are all shown by a page', () => {
    const pages = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
      .map((name) => join(FOLDER, name))
      .filter((path) => /\.tsx?$/.test(path) && !path.startsWith(TEXTS));
    const source = readFileSync(join(TEXTS, 'en.ts'), 'utf8');
    expect(namesIn(source).length).to.be.above(300);
    expect(unusedIn(source, pages.map((path) => readFileSync(path, 'utf8')).join('\n'))).to.deep.equal([]);
  });

  it('are told apart from words that stand for others', () => {
    const source =
      "const words = {\n  old: '',\n};\nexport const en = {\n  page: {\n    used: '',\n    unused: '',\n  },\n};";
    expect(unusedIn(source, 'texts.page.used')).to.deep.equal(['unused']);
  });
});
