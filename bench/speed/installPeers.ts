import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';

/** Folder of the peers' own package, below the project's. */
export const PEERS = join(process.cwd(), 'bench', 'peers');

/** Installs the peers' packages where they are missing or older than the lockfile. */
export function installPeers(): void {
  if (changedAt('node_modules/.package-lock.json') >= changedAt('package-lock.json')) return;
  process.stdout.write('Installing the peers …\n');
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts'], { cwd: PEERS, stdio: 'inherit' });
  if (status !== 0) throw new Error('The peers could not be installed.');
}

function changedAt(file: string): number {
  return statSync(join(PEERS, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
