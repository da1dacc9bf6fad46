import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

/**
 * Builds `built/`: the bundle, compressed, and the licences of what is in it. The same sources give the same
 * bytes.
 */
process.chdir(dirname(fileURLToPath(import.meta.url)));
mkdirSync('built', { recursive: true });

const SOURCES = [
  'CopyAsCurl.js',
  'PhoneTabs.js',
  'build.mjs',
  'mendAccessibility.js',
  'package-lock.json',
  'package.json',
  'page.css',
  'page.js',
];

const result = await build({
  entryPoints: { graphiql: 'page.js' },
  bundle: true,
  minify: true,
  write: false,
  metafile: true,
  outdir: 'built',
  format: 'iife',
  target: 'es2022',
  legalComments: 'none',
  // Subscriptions are event streams; without this, the copy in the service's own node_modules is taken in.
  external: ['graphql-ws'],
  // The service's compiler options are not this package's.
  tsconfigRaw: {},
  define: { 'process.env.NODE_ENV': '"production"' },
  plugins: [{ name: 'without-fonts', setup: leaveOutFonts }],
});
for (const { path, contents } of result.outputFiles)
  writeFileSync(`${path}.gz`, gzipSync(contents, { level: 9 }));
writeFileSync('built/sources.sha256', `${hashOfSources()}\n`);
writeFileSync('built/NOTICE.txt', licences(Object.keys(result.metafile.inputs)));

/**
 * What the bundle was made of: a test compares it, so that a change of the sources without a build is
 * noticed.
 */
function hashOfSources() {
  const hash = createHash('sha256');
  for (const name of SOURCES) hash.update(`${name}\0`).update(readFileSync(name)).update('\0');
  return hash.digest('hex');
}

/** The pages use the system's fonts; GraphiQL's are nine tenths of its style sheet. */
function leaveOutFonts(builder) {
  builder.onLoad({ filter: /graphiql[\\/]dist[\\/]style\.css$/ }, ({ path }) => ({
    contents: readFileSync(path, 'utf8').replace(/@font-face\s*\{[^}]*\}/g, ''),
    loader: 'css',
  }));
}

function licences(inputs) {
  const folders = new Set(
    inputs.flatMap((input) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input) ?? []),
  );
  return [...folders].sort().map(licenceOf).join('\n\n');
}

function licenceOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file === undefined ? `Licence: ${license}` : readFileSync(join(folder, file), 'utf8').trim();
  return `${'='.repeat(80)}\n${name} ${version}\n${'='.repeat(80)}\n${text}`;
}
