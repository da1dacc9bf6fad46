import type { Database } from '../database/Database.js';
import { nameInText } from '../domain/displayName.js';
import type { Scope } from '../domain/scopes.js';
import { reachOf } from './reach.js';

/** An app of which an account is a member, with all scopes that the account can get there. */
export interface MemberApp {
  appId: string;
  /** As it stands in texts. */
  name: string;
  isPublic: boolean;
  scopes: Scope[];
}

interface AppRow extends MemberApp {
  allowed: string[];
}

const QUERY = {
  name: 'oauth_list_member_apps',
  text: `SELECT a.app_id AS "appId", a.name, a.client_type = 'public' AS "isPublic",
                a.allowed_scopes AS allowed, m.scopes FROM app_members m JOIN apps a USING (app_id)
          WHERE m.account_id = $1 AND a.status = 'active' ORDER BY a.name, a.app_id LIMIT 200`,
};

export async function listMemberApps(database: Database, accountId: string): Promise<MemberApp[]> {
  const rows = await database.read<AppRow>(QUERY, [accountId]);
  return rows.map(({ allowed, ...app }) => ({
    ...app,
    name: nameInText(app.name, app.appId),
    scopes: reachOf(allowed.join(' '), allowed, app.scopes).filter((scope) => scope !== 'offline_access'),
  }));
}
