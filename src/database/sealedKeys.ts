import type pg from 'pg';
import type { SecretBox } from '../domain/SecretBox.js';
import { StartFailure } from './StartFailure.js';

/** @throws StartFailure when the signing key was sealed under another `SECRETS_KEY` */
export function openSealedKey(secrets: SecretBox, sealed: string): string {
  try {
    return secrets.open(sealed);
  } catch {
    throw otherKey();
  }
}

function otherKey(): StartFailure {
  return new StartFailure(
    'SECRETS_KEY: the signing keys in the database were sealed under another SECRETS_KEY. Start with that one.',
  );
}

/**
 * One that opens is enough: while `SECRETS_KEY` turns, a command may be given one of its keys.
 *
 * @throws StartFailure as `openSealedKey` does
 */
export function requireOneThatOpens(secrets: SecretBox, sealed: readonly string[]): void {
  const opens = (text: string): boolean => {
    try {
      secrets.open(text);
      return true;
    } catch {
      return false;
    }
  };
  if (!sealed.some(opens)) throw otherKey();
}

/**
 * Refuses a wrong `SECRETS_KEY` before anything is made for it. There is nothing to compare it with at the
 * first start, nor for a role that may not read the keys.
 *
 * @throws StartFailure as `openSealedKey` does
 */
export async function refuseOtherSecretsKey(owner: pg.Client, secrets: SecretBox): Promise<void> {
  const { rows: found } = await owner.query<{ readable: boolean | null }>(
    `SELECT has_table_privilege(to_regclass('signing_keys'), 'SELECT') AS readable`,
  );
  if (found[0]?.readable !== true) return;
  const { rows } = await owner.query<{ sealed: string }>('SELECT sealed FROM signing_keys');
  for (const { sealed } of rows) openSealedKey(secrets, sealed);
}
