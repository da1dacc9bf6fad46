import { expect } from 'chai';
import { readFileSync } from 'node:fs';

interface Needed {
  dependencies: Record<string, string>;
  optionalDependencies: Record<string, string>;
  devDependencies: Record<string, string>;
}

/** Packages in the first column of a section's table; not those that a pattern or a folder stands for. */
function packagesUnder(heading: string): string[] {
  const page = readFileSync('docs/dependencies.md', 'utf8');
  const section = page.split('\n## ').find((each) => each.startsWith(`${heading}\n`)) ?? '';
  const cells = [...section.matchAll(/^\| (.*?) \|/gm)].map(([, cell = '']) => cell);
  const names = cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
  return names.filter((name) => !/[*…]|\/$/.test(name));
}

describe('docs/dependencies.md', () => {
  const needed = JSON.parse(readFileSync('package.json', 'utf8')) as Needed;

  it('says what package.json says: at run time or for development', () => {
    const atRunTime = packagesUnder('At run time');
    const forDevelopment = packagesUnder('For development');
    expect(atRunTime).to.include('pg');
    expect(forDevelopment).to.include('mocha');
    const installed = { ...needed.dependencies, ...needed.optionalDependencies };
    expect(atRunTime.filter((name) => !(name in installed))).to.deep.equal([]);
    expect(forDevelopment.filter((name) => !(name in needed.devDependencies))).to.deep.equal([]);
  });
});
