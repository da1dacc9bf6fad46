import { spawn } from 'node:child_process';

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a program to its end. @param input what it reads from its standard input */
export function runProgram(
  command: string,
  args: readonly string[],
  options: { env?: Record<string, string>; input?: string; cwd?: string } = {},
): Promise<Ended> {
  const { env = {}, input = '', cwd } = options;
  const child = spawn(command, args, {
    env: { ...process.env, ...env },
    ...(cwd === undefined ? {} : { cwd }),
  });
  const ended: Ended = { code: null, stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (ended.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (ended.stderr += text));
  child.stdin.end(input);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ ...ended, code }));
  });
}
