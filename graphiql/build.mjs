import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { hashOfFiles, licences } from '../bin/bundleParts.mjs';

/**
 * Builds `built/`: the bundle, compressed, and the licences of what is in it. The same sources give the same
 * bytes.
 */
process.chdir(dirname(fileURLToPath(import.meta.url)));
mkdirSync('built', { recursive: true });

/** What the bundle is made of. */
const SOURCES = [
  '../bin/bundleParts.mjs',
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
writeFileSync('built/sources.sha256', `${hashOfFiles(SOURCES)}\n`);
writeFileSync('built/NOTICE.txt', licences(Object.keys(result.metafile.inputs)));

/** The pages use the system's fonts; GraphiQL's are nine tenths of its style sheet. */
function leaveOutFonts(builder) {
  builder.onLoad({ filter: /graphiql[\\/]dist[\\/]style\.css$/ }, ({ path }) => ({
    contents: readFileSync(path, 'utf8').replace(/@font-face\s*\{[^}]*\}/g, ''),
    loader: 'css',
  }));
}
