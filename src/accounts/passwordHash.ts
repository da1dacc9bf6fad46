import { hash, verify } from '@node-rs/argon2';
import { streamSafe } from '../domain/streamSafe.js';

/** Argon2id with the parameters of OWASP's password storage guide: 19 MiB, 2 passes, 1 lane. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

let decoy: Promise<string> | undefined;

export function hashPassword(password: string): Promise<string> {
  return hash(streamSafe(password, 'NFKC'), PARAMETERS);
}

/** Takes as long without an account or a password as for a wrong password. */
export async function isPassword(password: string, kept: string | null | undefined): Promise<boolean> {
  const matches = await verify(
    kept ?? (await (decoy ??= hashPassword('nobody has this'))),
    streamSafe(password, 'NFKC'),
  );
  return matches && kept !== null && kept !== undefined;
}
