import { spawnSync } from 'node:child_process';

/** Whether the machine has a program. */
export function hasProgram(name: string): boolean {
  return spawnSync(name, ['--version'], { stdio: 'ignore' }).error === undefined;
}
