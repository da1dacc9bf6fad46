import pg from 'pg';
import type { Database } from './Database.js';
import { loginsOf, serviceLogin } from './serviceLogin.js';

const OWN = { name: 'own_database', text: 'SELECT current_database()::text AS name' };

const LOGINS = {
  name: 'logins',
  text: 'SELECT rolname::text AS rolname FROM pg_roles WHERE rolcanlogin ORDER BY rolname',
};

/** Drops the service's logins to this database that no key derives. @returns their names */
export async function dropLogins(database: Database, secretsKeys: readonly string[]): Promise<string[]> {
  const [own] = await database.read<{ name: string }>(OWN);
  if (own === undefined) throw new Error('PostgreSQL did not tell the name of the database.');
  const kept = secretsKeys.map((key) => serviceLogin(key, own.name).login);
  const pattern = loginsOf(own.name);
  const roles = await database.read<{ rolname: string }>(LOGINS);
  const stale = roles
    .map(({ rolname }) => rolname)
    .filter((role) => pattern.test(role) && !kept.includes(role));
  for (const role of stale)
    await database.transaction(null, (tx) => tx.query(`DROP ROLE ${pg.escapeIdentifier(role)}`));
  return stale;
}
