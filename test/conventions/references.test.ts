import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';

const FOLDERS = [
  'bench',
  'bin',
  'dashboard/src',
  'docs',
  'entities',
  'resolvers',
  'rest-bridge',
  'schema',
  'src',
  'test',
];

/** A path of our documentation, with the anchor of a heading. */
const REFERENCE = /(?<![\w/.-])docs\/(?<file>[\w./-]+\.md)(?:#(?<anchor>[\w-]+))?/g;

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : filesIn(path);
    return /\.(md|tsx?|[cm]js)$/.test(path) ? [path] : [];
  });
}

/** Anchors of a file's headings, as GitHub makes them. */
function anchorsOf(file: string): Set<string> {
  const headings = [...readFileSync(file, 'utf8').matchAll(/^#{1,6} (.+)$/gm)];
  return new Set(
    headings.map(([, text = '']) =>
      text
        .toLowerCase()
        .replace(/[^\w\- ]/g, '')
        .replaceAll(' ', '-'),
    ),
  );
}

/** Relative links of a page that lead to no file of this repository. */
function brokenLinks(page: string): string[] {
  const links = [...readFileSync(page, 'utf8').matchAll(/\]\((?!\w+:|[#/])([^)\s#]+)/g)];
  return links.map(([, target = '']) => target).filter((target) => !existsSync(join(dirname(page), target)));
}

/** References of a text that lead nowhere. */
function broken(text: string): string[] {
  return [...text.matchAll(REFERENCE)]
    .filter(({ groups }) => {
      const file = join('docs', groups?.['file'] ?? '');
      const anchor = groups?.['anchor'];
      return !existsSync(file) || (anchor !== undefined && !anchorsOf(file).has(anchor));
    })
    .map(([reference]) => reference);
}

describe('References to the documentation', () => {
  const files = [...FOLDERS.flatMap(filesIn), 'CHANGELOG.md', 'README.md', 'SECURITY.md'];
  const own = join('test', 'conventions', 'references.test.ts');

  it('lead to a file and a heading of this repository', () => {
    const found = files
      .filter((file) => file !== own)
      .flatMap((file) => broken(readFileSync(file, 'utf8')).map((reference) => `${file}: ${reference}`));
    expect(found).to.deep.equal([]);
  });

  it('lead from every page to a file of this repository, where they are links', () => {
    const pages = ['README.md', 'SECURITY.md', 'CHANGELOG.md', ...filesIn('docs'), ...filesIn('deploy')];
    const found = pages
      .filter((page) => page.endsWith('.md'))
      .flatMap((page) => brokenLinks(page).map((target) => `${page}: ${target}`));
    expect(found).to.deep.equal([]);
  });

  it('are found when the file or the heading does not exist', () => {
    expect(broken('docs/contract.md#order-of-checks and docs/errors.md')).to.deep.equal([]);
    expect(broken('docs/contract.md#names, docs/nothing.md')).to.deep.equal([
      'docs/contract.md#names',
      'docs/nothing.md',
    ]);
  });

  it('name no other contract than docs/contract.md', () => {
    const found = files.filter(
      (file) => file !== own && /\binterface\.md|\bspec\/|\bdecisions \d/.test(readFileSync(file, 'utf8')),
    );
    expect(found).to.deep.equal([]);
  });
});
