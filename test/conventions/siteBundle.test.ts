import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';

describe('the kept documentation site', () => {
  it('matches docs/ and both contracts (npm run site:build writes site/built)', async () => {
    const module = pathToFileURL('site/sourcesHash.mjs').href;
    const { sourcesHash } = (await import(module)) as { sourcesHash(root: string): string };
    expect(readFileSync('site/built/sources.sha256', 'utf8').trim()).to.equal(sourcesHash('.'));
  });

  it('names no registry in its lock file', () => {
    expect(readFileSync('site/package-lock.json', 'utf8')).not.to.include('"resolved"');
  });
});
