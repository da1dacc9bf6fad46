// Builds the documentation site: docs/ and both contracts in, site/built/ out. Run by `npm run site:build`.
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'vitepress';
import { printGraphqlReference } from './printGraphqlReference.mjs';
import { printRestOperations } from './printRestOperations.mjs';
import { sourcesHash } from './sourcesHash.mjs';

const SITE = dirname(fileURLToPath(import.meta.url));
const ROOT = dirname(SITE);
const WORK = join(SITE, '.work');
const OUTPUT = join(SITE, 'built');

rmSync(WORK, { recursive: true, force: true });
cpSync(join(ROOT, 'docs'), WORK, { recursive: true });
cpSync(join(SITE, 'config.mjs'), join(WORK, '.vitepress/config.mjs'));
cpSync(join(SITE, 'theme'), join(WORK, '.vitepress/theme'), { recursive: true });
for (const file of filesBelow(WORK).filter((name) => name.endsWith('.md'))) keepLinksInside(join(WORK, file));
await writeReference();
await build(WORK);
keep(join(WORK, '.vitepress/dist'));
rmSync(WORK, { recursive: true, force: true });

async function writeReference() {
  const folder = join(WORK, 'reference');
  mkdirSync(folder, { recursive: true });
  const sdl = readFileSync(join(ROOT, 'schema/schema.graphql'), 'utf8');
  for (const [name, text] of Object.entries(await printGraphqlReference(sdl)))
    writeFileSync(join(folder, `graphql-${name}.md`), text);
  const openapi = JSON.parse(readFileSync(join(ROOT, 'schema/openapi.json'), 'utf8'));
  writeFileSync(join(folder, 'rest-operations.md'), printRestOperations(openapi));
  const access = readFileSync(join(ROOT, 'schema/access.md'), 'utf8');
  writeFileSync(join(folder, 'access.md'), access.replaceAll('<', '&lt;').replaceAll('{{', '{ {'));
  const open = join(WORK, 'public');
  mkdirSync(open, { recursive: true });
  const redoc = readFileSync(join(SITE, 'node_modules/redoc/bundles/redoc.standalone.js'), 'utf8');
  writeFileSync(
    join(open, 'redoc.standalone.js'),
    redoc.replaceAll(/https:\/\/cdn\.redoc\.ly[^"'`)]*/g, '/docs/icon.svg'),
  );
  for (const name of ['rest.html', 'rest.js', 'rest.css', 'icon.svg'])
    cpSync(join(SITE, 'public', name), join(open, name));
}

/**
 * Files outside docs/ are not part of the site: a link to one becomes its name, except what is shown there.
 */
function keepLinksInside(path) {
  const text = readFileSync(path, 'utf8');
  const here = dirname(path);
  const kept = text.replace(/\[([^\]]+)\]\(((?!https?:|#|mailto:|\/)[^)\s]+)\)/g, (whole, label, target) => {
    const place = relative(WORK, join(here, target.split('#')[0]));
    if (place === '../schema/access.md') return `[${label}](/reference/access)`;
    if (!place.startsWith('..') && existsSync(join(WORK, place))) return whole;
    return place.startsWith('..') ? label : whole;
  });
  if (kept !== text) writeFileSync(path, kept);
}

/**
 * Every file compressed, under its own name, with what the content security policy has to allow beside own
 * files.
 */
function keep(folder) {
  rmSync(OUTPUT, { recursive: true, force: true });
  const scripts = new Set();
  for (const file of filesBelow(folder)) {
    const content = readKept(join(folder, file));
    if (file.endsWith('.html')) {
      requireUniqueIds(file, content.toString());
      for (const hash of inlineScripts(content.toString())) scripts.add(hash);
    }
    const place = join(OUTPUT, `${file}.gz`);
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, gzipSync(content, { level: 9 }));
  }
  const hashes = [...scripts].toSorted();
  writeFileSync(join(OUTPUT, 'policy.json'), `${JSON.stringify({ scriptHashes: hashes }, null, 2)}\n`);
  writeFileSync(join(OUTPUT, 'sources.sha256'), `${sourcesHash(ROOT)}\n`);
}

/** Pages lose their style attributes, which the policy forbids; the theme sets them again by script. */
function readKept(path) {
  const content = readFileSync(path);
  return path.endsWith('.html') ? Buffer.from(content.toString().replaceAll(/ style="[^"]*"/g, '')) : content;
}

/** A link to an id that two elements have leads to the first of them. */
function requireUniqueIds(file, page) {
  const ids = [...page.matchAll(/<[^>]+\sid="([^"]*)"/g)].map(([, id]) => id);
  const twice = ids.filter((id, place) => ids.indexOf(id) !== place);
  if (twice.length > 0) throw new Error(`${file} has ids more than once: ${twice.join(', ')}`);
}

function inlineScripts(page) {
  return [...page.matchAll(/<script(?![^>]*\ssrc=)([^>]*)>([\s\S]*?)<\/script>/g)]
    .filter(([, attributes]) => !/type="application\//.test(attributes))
    .map(([, , text]) => `sha256-${createHash('sha256').update(text).digest('base64')}`);
}

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath ?? entry.path, entry.name)));
}
