import { spawnSync } from 'node:child_process';
import type { SpawnSyncReturns } from 'node:child_process';

/**
 * Runs the text of a module that can make no file larger than so many blocks of 512 bytes, as on a full disk.
 * Its arguments begin at `process.argv[1]`.
 */
export function runOnFullDisk(
  blocks: number,
  program: string,
  args: readonly string[],
): SpawnSyncReturns<string> {
  const full = `trap "" XFSZ; ulimit -f ${blocks}; exec "$0" --input-type=module --eval "$@"`;
  return spawnSync('sh', ['-c', full, process.execPath, program, ...args], { encoding: 'utf8' });
}
