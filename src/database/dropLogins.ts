import pg from 'pg';
import type { Database } from './Database.js';
import { loginsOf, serviceLogin } from './serviceLogin.js';
import { StartFailure } from './StartFailure.js';

const OWN = { name: 'own_database', text: 'SELECT current_database()::text AS name' };

const LOGINS = {
  name: 'logins',
  text: 'SELECT rolname::text AS rolname FROM pg_roles WHERE rolcanlogin ORDER BY rolname',
};

/** Drops the service's logins to this database that no key derives. @returns their names */
export async function dropLogins(database: Database, secretsKeys: readonly string[]): Promise<string[]> {
  const { name, logins } = await loginsHere(database);
  const kept = secretsKeys.map((key) => serviceLogin(key, name).login);
  const stale = logins.filter((role) => !kept.includes(role));
  for (const role of stale)
    await database.transaction(null, (tx) => tx.query(`DROP ROLE ${pg.escapeIdentifier(role)}`));
  return stale;
}

/**
 * Refuses a key that is the first one of no process: a mistyped one would lock out all of them. Where the
 * service has no login of its own, nothing tells.
 *
 * @throws StartFailure
 */
export async function refuseUnusedKey(database: Database, secretsKey: string): Promise<void> {
  const { name, logins } = await loginsHere(database);
  if (logins.length === 0 || logins.includes(serviceLogin(secretsKey, name).login)) return;
  throw new StartFailure(
    'SECRETS_KEY: no process was started with its first key in front yet. Start them with it first.',
  );
}

/** The service's logins to this database. */
async function loginsHere(database: Database): Promise<{ name: string; logins: string[] }> {
  const [own] = await database.read<{ name: string }>(OWN);
  if (own === undefined) throw new Error('PostgreSQL did not tell the name of the database.');
  const pattern = loginsOf(own.name);
  const roles = await database.read<{ rolname: string }>(LOGINS);
  const logins = roles.map(({ rolname }) => rolname).filter((role) => pattern.test(role));
  return { name: own.name, logins };
}
