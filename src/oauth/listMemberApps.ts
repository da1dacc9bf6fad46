import type { Database } from '../database/Database.js';
import type { Scope } from '../domain/scopes.js';
import { reachOf } from './reach.js';

/** An app of which an account is a member, with all scopes that the account can get there. */
export interface MemberApp {
  appId: string;
  name: string;
  isPublic: boolean;
  scopes: Scope[];
}

interface AppRow extends Record<string, unknown> {
  app_id: string;
  name: string;
  client_type: string;
  allowed_scopes: string[];
  scopes: string[];
}

const QUERY = {
  name: 'oauth_list_member_apps',
  text: `SELECT a.app_id, a.name, a.client_type, a.allowed_scopes, m.scopes FROM app_members m
    JOIN apps a USING (app_id)
          WHERE m.account_id = $1 AND a.status = 'active' ORDER BY a.name, a.app_id LIMIT 200`,
};

export async function listMemberApps(database: Database, accountId: string): Promise<MemberApp[]> {
  const rows = await database.read<AppRow>(QUERY, [accountId]);
  return rows.map((row) => ({
    appId: row.app_id,
    name: row.name,
    isPublic: row.client_type === 'public',
    scopes: reachOf(row.allowed_scopes.join(' '), row.allowed_scopes, row.scopes).filter(
      (scope) => scope !== 'offline_access',
    ),
  }));
}
