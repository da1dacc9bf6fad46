import { spawnSync } from 'node:child_process';
import type { ServerAccount } from './serverAccount.js';

/**
 * The environment of the server and its tools: no PG… settings, no locale that may be missing, no secrets.
 */
export const SERVER_ENVIRONMENT = { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

export interface Outcome {
  succeeded: boolean;
  stdout: string;
  /** Standard error, or why the program could not run. */
  complaint: string;
}

/** Runs a program as the server's user, in a directory that every user may enter. */
export function runAsServer(account: ServerAccount, program: string, args: string[]): Outcome {
  const options = { ...account, cwd: '/', env: SERVER_ENVIRONMENT, encoding: 'utf8' } as const;
  const { status, signal, stdout, stderr, error } = spawnSync(program, args, options);
  const complaint = error?.message ?? ((stderr || '').trim() || `ended with ${signal ?? status}`);
  return { succeeded: status === 0, stdout: stdout ?? '', complaint };
}

/**
 * Whether the server's user can enter a directory. The system is asked: modes do not show ACLs and mounts.
 */
export function canEnter(account: ServerAccount, directory: string): boolean {
  return runAsServer(account, '/bin/sh', ['-c', 'cd -- "$0"', directory]).succeeded;
}
