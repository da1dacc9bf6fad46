import { spawnSync } from 'node:child_process';
import type { ServerAccount } from './serverAccount.js';

/**
 * What the server and its tools see of our environment: no PG… settings, no locale that may not exist, no
 * secrets.
 */
export const SERVER_ENVIRONMENT = { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

export interface Outcome {
  succeeded: boolean;
  stdout: string;
  /** Standard error, or why the program could not be run. */
  complaint: string;
}

/** Runs a program to its end as the server's user, from a directory that every user may be in. */
export function runAsServer(account: ServerAccount, program: string, args: string[]): Outcome {
  const options = { ...account, cwd: '/', env: SERVER_ENVIRONMENT, encoding: 'utf8' } as const;
  const { status, signal, stdout, stderr, error } = spawnSync(program, args, options);
  const complaint = error?.message ?? ((stderr || '').trim() || `ended with ${signal ?? status}`);
  return { succeeded: status === 0, stdout: stdout ?? '', complaint };
}

/**
 * Whether the server's user can get into a directory; asked of the system, since modes alone do not tell
 * (ACLs, mounts).
 */
export function canEnter(account: ServerAccount, directory: string): boolean {
  return runAsServer(account, '/bin/sh', ['-c', 'cd -- "$0"', directory]).succeeded;
}
