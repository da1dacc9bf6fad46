import { readdirSync, readFileSync, statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import type { FirstLoad } from '../../src/pages/dashboard/firstLoad.js';

interface KeptBundle {
  folder: string;
  /** Most bytes, compressed, of all that the browser loads before the first page. */
  maxBytes: number;
  /** Files loaded before the first page; all when left out. */
  firstLoad?: string;
  isSource: (name: string) => boolean;
  /** Sources outside its folder. */
  shared: readonly string[];
}

const BUNDLES: readonly KeptBundle[] = [
  {
    folder: 'graphiql',
    maxBytes: 600_000,
    isSource: (name) => /^[^/]+\.(m?js|css|json)$/.test(name),
    shared: ['../bin/bundleParts.mjs'],
  },
  {
    folder: 'dashboard',
    maxBytes: 300_000,
    firstLoad: 'first-load.json',
    isSource: (name) =>
      /^(build\.mjs|codegen\.ts|package(-lock)?\.json|tsconfig\.json)$/.test(name) ||
      /^src\/(?!gql\/).*\.(tsx?|css)$/.test(name),
    shared: ['../bin/bundleParts.mjs', '../src/domain/displayName.ts'],
  },
];

for (const { folder, maxBytes, firstLoad, isSource, shared } of BUNDLES) {
  describe(`the kept bundle of ${folder}`, () => {
    it(`matches the sources beside it (npm run ${folder}:build updates it)`, async () => {
      const module = pathToFileURL('bin/bundleParts.mjs').href;
      const { hashOfFiles } = (await import(module)) as {
        hashOfFiles(names: readonly string[], folder: string): string;
      };
      const sources = [...sourcesOf(folder).filter(isSource), ...shared];
      expect(readFileSync(`${folder}/built/sources.sha256`, 'utf8').trim()).to.equal(
        hashOfFiles(sources, folder),
      );
    });

    it('stays small, and brings no font and no address of a CDN', () => {
      const kept = readdirSync(`${folder}/built`).filter((name) => name.endsWith('.gz'));
      const text = kept
        .map((name) => gunzipSync(readFileSync(`${folder}/built/${name}`)).toString())
        .join('\n');
      expect(text).not.to.match(/@font-face|url\(\s*["']?https?:|esm\.sh|unpkg\.com|jsdelivr/);
      const loaded = firstLoad === undefined ? kept : readFirstLoad(`${folder}/built/${firstLoad}`);
      const bytes = loaded.map((name) => statSync(`${folder}/built/${name}`).size);
      expect(bytes.reduce((sum, size) => sum + size, 0)).to.be.below(maxBytes);
    });

    it('names no registry in its lock file', () => {
      expect(readFileSync(`${folder}/package-lock.json`, 'utf8')).not.to.include('"resolved"');
    });
  });
}

/** Files of the package by their paths in it, without what was installed, built or generated. */
function sourcesOf(folder: string): string[] {
  const own = readdirSync(folder).filter((name) => name !== 'node_modules' && name !== 'built');
  return own.flatMap((name) =>
    statSync(`${folder}/${name}`).isDirectory()
      ? readdirSync(`${folder}/${name}`, { recursive: true, encoding: 'utf8' }).map(
          (inner) => `${name}/${inner}`,
        )
      : [name],
  );
}

/** The scripts of the first page, the style sheet and every language. */
function readFirstLoad(place: string): string[] {
  const { style, everywhere, languages, pages } = JSON.parse(readFileSync(place, 'utf8')) as FirstLoad;
  return [style, ...everywhere, ...Object.values(languages), ...(pages['OverviewPage'] ?? [])].map(
    (name) => `${name}.gz`,
  );
}
