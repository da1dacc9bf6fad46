import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { ServiceError } from '../errors.js';

/**
 * Reads a password from `ACCOUNT_PASSWORD`, from a pipe, or from the terminal, typed twice without echo. It
 * is never an argument, because other users of the machine and the shell history can read those.
 */
export async function readPassword(): Promise<string> {
  const { ACCOUNT_PASSWORD } = process.env;
  if (ACCOUNT_PASSWORD) return ACCOUNT_PASSWORD;
  if (!process.stdin.isTTY) return (await text(process.stdin)).replace(/\r?\n$/, '');
  const password = await ask('Password: ');
  if (password !== (await ask('The same again: ')))
    throw new ServiceError('invalid_request', 'The two passwords differ.');
  return password;
}

async function ask(question: string): Promise<string> {
  process.stderr.write(question);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  try {
    return await lines.question('');
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
}
