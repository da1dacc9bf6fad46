import type { Reader } from './oauthReader.js';

/** An access token with all data that determines its current rights. */
export interface AccessTokenRow {
  app_id: string;
  account_id: string | null;
  scope: string | null;
  expires_at: string;
  /** When it was read, by the clock of the database, which set its expiry. */
  read_at: string;
  app_status: string;
  allowed_scopes: string[];
  member_scopes: string[] | null;
}

const QUERY = {
  name: 'oauth_read_access_token',
  text: `SELECT t.app_id, t.account_id, t.scope, t.expires_at, now() AS read_at,
                a.status AS app_status, a.allowed_scopes, m.scopes AS member_scopes
           FROM oauth_artifacts t
           JOIN apps a ON a.app_id = t.app_id
           LEFT JOIN app_members m ON m.app_id = t.app_id AND m.account_id = t.account_id
          WHERE t.id_hash = $1 AND t.kind IN ('AccessToken', 'ClientCredentials')`,
};

export async function readAccessToken(
  database: Reader,
  tokenHash: string,
): Promise<AccessTokenRow | undefined> {
  const [row] = await database.read<AccessTokenRow>(QUERY, [tokenHash]);
  return row;
}
