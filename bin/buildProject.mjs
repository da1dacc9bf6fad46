import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StepFailed, runStep } from './runStep.mjs';

const STAMP = 'dist/.build-stamp';

/** Whether dist/ was built from the sources as they are now. */
export function isBuilt() {
  return existsSync(STAMP) && readFileSync(STAMP, 'utf8') === fingerprint();
}

/** Compiles to dist/ when a source has changed, and takes away the output of sources that are gone. */
export async function buildProject() {
  if (isBuilt()) return;
  console.error('Building …');
  const wanted = fingerprint();
  rmSync(STAMP, { force: true });
  removeOrphans('dist');
  const code = await runStep(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.json'], {
    progress: 'still building',
  });
  if (code !== 0) throw new StepFailed('The build failed: see the messages above.', code);
  mkdirSync('dist', { recursive: true });
  writeFileSync(STAMP, wanted);
}

/** Path, size and time of every source: no file is read, so that a warm start stays quick. */
function fingerprint() {
  const hash = createHash('sha256').update(process.version);
  for (const file of sources()) {
    const { size, mtimeMs } = statSync(file);
    hash.update(`${file} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

function sources() {
  const roots = JSON.parse(readFileSync('tsconfig.json', 'utf8')).include.filter((root) => existsSync(root));
  return ['tsconfig.json', 'package-lock.json', ...roots.flatMap(filesUnder)];
}

function filesUnder(root) {
  if (statSync(root).isFile()) return [root];
  const entries = readdirSync(root, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) =>
    entry.isDirectory()
      ? filesUnder(join(root, entry.name))
      : isSource(entry)
        ? [join(root, entry.name)]
        : [],
  );
}

function isSource(entry) {
  return entry.isFile() && /\.(ts|json)$/.test(entry.name);
}

/** A test whose source was deleted or renamed would otherwise still be run. */
function removeOrphans(directory) {
  if (!existsSync(directory)) return;
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) removeOrphans(path);
    else if (isOrphan(path)) rmSync(path);
  }
}

function isOrphan(output) {
  const source = output.replace(/^dist[/\\]/, '').replace(/\.js(\.map)?$/, '.ts');
  return source.endsWith('.ts') && !existsSync(source);
}
