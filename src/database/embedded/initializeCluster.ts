import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { ClusterFiles } from './ClusterFiles.js';
import type { Binaries } from './findBinaries.js';
import { LaunchFailure } from './LaunchFailure.js';
import { canEnter, runAsServer } from './runAsServer.js';
import type { ServerAccount } from './serverAccount.js';
import { systemDirectory } from './systemDirectory.js';

/** The superuser of the embedded server. It migrates and never serves. */
export const OWNER_ROLE = 'consent_owner';

const STAGING_PREFIX = 'new-';

/**
 * Creates the data directory if there is none. It is created elsewhere and moved into place when complete, so
 * that an interrupted attempt leaves nothing that looks like a database. The caller holds the lock.
 */
export function initializeCluster(
  files: ClusterFiles,
  account: ServerAccount,
  binaries: Binaries,
  fsync: boolean,
): void {
  ensurePassword(files);
  if (files.owner() !== undefined) return requireVersion(files, binaries);
  const place = placeForData(files, account);
  removeAbandoned(dirname(place));
  const staging = join(dirname(place), STAGING_PREFIX + randomBytes(6).toString('hex'));
  mkdirSync(staging);
  chmodSync(staging, 0o711);
  try {
    runInitdb(staging, files, account, binaries, fsync);
    renameSync(join(staging, 'cluster'), place);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/** The initdb of a killed service may still be writing: it fails and ends once its files are removed. */
function removeAbandoned(parent: string): void {
  for (const name of readdirSync(parent).filter((entry) => entry.startsWith(STAGING_PREFIX))) {
    rmSync(join(parent, name), { recursive: true, force: true, maxRetries: 8, retryDelay: 50 });
  }
}

function ensurePassword(files: ClusterFiles): void {
  if (existsSync(files.password)) return;
  if (files.owner() !== undefined) {
    throw new LaunchFailure(
      `The password of the database is missing (${files.password}): put it back, or start with another DATA_DIR.`,
    );
  }
  const draft = `${files.password}.new`;
  writeFileSync(draft, randomBytes(24).toString('base64url'), { mode: 0o600 });
  renameSync(draft, files.password);
}

function requireVersion(files: ClusterFiles, { major }: Binaries): void {
  const found = readFileSync(join(files.cluster, 'PG_VERSION'), 'utf8').trim();
  if (found === major) return;
  throw new LaunchFailure(
    `The database in DATA_DIR was made by PostgreSQL ${found}, and this is PostgreSQL ${major}: ` +
      'move the data with pg_dump of the old version, or start with another DATA_DIR.',
  );
}

/**
 * DATA_DIR itself, if the server's user can enter it. Otherwise (root's home) a system directory that a link
 * in DATA_DIR points to. The link is created first, so that no directory is left behind unknown.
 */
function placeForData(files: ClusterFiles, account: ServerAccount): string {
  const link = lstatSync(files.cluster, { throwIfNoEntry: false });
  if (link?.isSymbolicLink()) return readlinkSync(files.cluster);
  if (link !== undefined)
    throw new LaunchFailure(`${files.cluster} exists, but is no PostgreSQL data directory.`);
  if (canEnter(account, files.home)) return files.cluster;
  const place = join(systemDirectory(files.room, 'data', randomBytes(8).toString('hex')), 'cluster');
  symlinkSync(place, files.cluster);
  return place;
}

function runInitdb(
  staging: string,
  files: ClusterFiles,
  account: ServerAccount,
  { initdb }: Binaries,
  fsync: boolean,
): void {
  const cluster = join(staging, 'cluster');
  const passwordFile = join(staging, 'password');
  mkdirSync(cluster, { mode: 0o700 });
  writeFileSync(passwordFile, readFileSync(files.password), { mode: 0o600 });
  for (const path of [cluster, passwordFile]) giveTo(account, path);
  const outcome = runAsServer(account, initdb, [
    `--pgdata=${cluster}`,
    `--username=${OWNER_ROLE}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
    ...(fsync ? [] : ['--no-sync']),
  ]);
  if (!outcome.succeeded)
    throw new LaunchFailure(`PostgreSQL's data directory could not be made: ${outcome.complaint}`);
}

function giveTo({ uid, gid }: ServerAccount, path: string): void {
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid);
}
