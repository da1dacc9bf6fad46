import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { hashOfFiles, licences } from '../bin/bundleParts.mjs';

/**
 * Builds `built/`: the bundle, compressed, and the licences of what is in it. The same sources give the same
 * bytes.
 */
process.chdir(dirname(fileURLToPath(import.meta.url)));
rmSync('built', { recursive: true, force: true });
mkdirSync('built', { recursive: true });

const result = await build({
  entryPoints: { dashboard: 'src/main.tsx' },
  bundle: true,
  minify: true,
  splitting: true,
  write: false,
  metafile: true,
  outdir: 'built',
  format: 'esm',
  target: ['es2022', 'chrome123', 'firefox120', 'safari17.5'],
  jsx: 'automatic',
  legalComments: 'none',
  chunkNames: '[name]-[hash]',
  define: { 'process.env.NODE_ENV': '"production"' },
  plugins: [{ name: 'two-languages', setup: leaveOutLanguages }],
});
for (const { path, contents } of result.outputFiles) {
  writeFileSync(`built/${basename(path)}.gz`, gzipSync(contents, { level: 9 }));
}
writeFileSync('built/first-load.json', `${JSON.stringify(firstLoad(), null, 2)}\n`);
writeFileSync('built/sources.sha256', `${hashOfFiles(sources())}\n`);
writeFileSync('built/NOTICE.txt', `${licences(Object.keys(result.metafile.inputs))}\n`);

/** What the browser needs first: what every page takes, the languages, and what each page takes besides. */
function firstLoad() {
  const everywhere = importedBy('built/dashboard.js');
  const outputOf = (name) =>
    Object.keys(result.metafile.outputs).find((path) => basename(path).startsWith(`${name}-`));
  const languages = Object.fromEntries(
    ['en', 'de'].map((language) => [language, basename(outputOf(language))]),
  );
  const pages = Object.fromEntries(
    Object.keys(result.metafile.outputs)
      .map((path) => /\/(\w+Page)-\w+\.js$/.exec(path)?.[1])
      .filter((name) => name !== undefined)
      .sort()
      .map((name) => [name, importedBy(outputOf(name)).filter((file) => !everywhere.includes(file))]),
  );
  return { style: 'dashboard.css', everywhere, languages, pages };
}

/** The file and all that it imports, without what it loads later. */
function importedBy(path, names = new Set()) {
  if (!names.has(basename(path))) {
    names.add(basename(path));
    for (const { path: next, kind } of result.metafile.outputs[path].imports) {
      if (kind === 'import-statement') importedBy(next, names);
    }
  }
  return [...names].sort();
}

/** What the bundle was made of. */
function sources() {
  const own = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(tsx?|css)$/.test(name) && !name.startsWith('gql/'))
    .map((name) => `src/${name}`);
  return [
    '../bin/bundleParts.mjs',
    '../src/domain/displayName.ts',
    'build.mjs',
    'codegen.ts',
    'package-lock.json',
    'package.json',
    'tsconfig.json',
    ...own,
  ];
}

/** The components bring their words in 34 languages; the dashboard speaks two. */
function leaveOutLanguages(builder) {
  builder.onLoad({ filter: /[\\/]intl[\\/].*[a-z]{2}-[A-Z]{2}\.m?js$/ }, ({ path }) =>
    /(en-US|de-DE)\.m?js$/.test(path) ? undefined : { contents: 'export default {};', loader: 'js' },
  );
}
