import { SecretBox } from '../domain/SecretBox.js';
import { SERVICE_ROLE } from './protect.js';

/** PostgreSQL truncates longer names. */
const MAX_NAME = 63;

/**
 * The service's login to a database, derived equally on every node. Each key has its own: while `SECRETS_KEY`
 * is rotated, nodes with the old and the new key keep theirs.
 */
export function serviceLogin(secretsKey: string, database: string): { login: string; password: string } {
  const box = new SecretBox(secretsKey);
  const key = Buffer.from(box.mac('database-login', database), 'base64url').toString('hex').slice(0, 8);
  return {
    login: `${SERVICE_ROLE}_${key}_${plain(database)}`.slice(0, MAX_NAME),
    password: box.mac('database-role', database),
  };
}

/** Matches the names of a database's logins for any key. Those of earlier versions contain no key. */
export function loginsOf(database: string): RegExp {
  const withKey = `${SERVICE_ROLE}_[0-9a-f]{8}_`;
  const room = MAX_NAME - SERVICE_ROLE.length - 10;
  return new RegExp(`^(?:${SERVICE_ROLE}_${plain(database)}|${withKey}${plain(database).slice(0, room)})$`);
}

function plain(database: string): string {
  return database.replace(/[^a-z0-9_]/g, '_');
}
