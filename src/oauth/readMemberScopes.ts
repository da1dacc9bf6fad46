import type { Reader } from './oauthReader.js';

const QUERY = {
  name: 'oauth_read_member_scopes',
  text: 'SELECT scopes FROM app_members WHERE app_id = $1 AND account_id = $2',
};

/** The account's scopes for the app; undefined when it is not a member. */
export async function readMemberScopes(
  database: Reader,
  appId: string,
  accountId: string,
): Promise<string[] | undefined> {
  const [row] = await database.read<{ scopes: string[] }>(QUERY, [appId, accountId]);
  return row?.scopes;
}
