import type { Connection } from '../../schema/connection.js';
import type { AppMember } from '../../schema/types/AppMember.js';
import { isScope } from '../domain/scopes.js';
import { countUpTo } from './countUpTo.js';
import type { ReadScope } from './ReadScope.js';
import { PageWindow } from './page.js';
import type { PageRequest } from './page.js';

const LIST = {
  name: 'app_members_list',
  text: `SELECT m.account_id AS "accountId", a.email, m.scopes, m.created_at AS "createdAt",
                m.updated_at AS "updatedAt"
           FROM app_members m JOIN accounts a ON a.account_id = m.account_id
          WHERE m.app_id = $1 AND ($2::text IS NULL OR m.account_id < $2) ORDER BY m.account_id DESC
            LIMIT $3`,
};

const ALL = { name: 'app_members', text: 'SELECT FROM app_members WHERE app_id = $1' };

/** The app's members, newest account first. */
export async function listAppMembers(
  { services, appId }: ReadScope,
  request: PageRequest,
): Promise<Connection<AppMember>> {
  const scope = { appId, list: 'app_members' };
  const page = new PageWindow(services.secrets, scope, request);
  const rows = await services.database.read<AppMember>(LIST, [appId, page.after, page.limit]);
  const read = (row: AppMember) => ({
    position: row.accountId,
    node: { ...row, scopes: row.scopes.filter(isScope) },
  });
  return page.toPage(rows, read, countUpTo({ services, appId }, ALL, [appId]));
}
