import type { Database } from '../database/Database.js';
import { hashSecretToken } from '../domain/secretToken.js';

/**
 * An access token ends alone; a refresh token ends with all that was issued under its grant (RFC 7009, 2.1):
 * deleting the grant deletes its tokens.
 */
const REVOKE = {
  name: 'oauth_revoke',
  text: `DELETE FROM oauth_artifacts t USING oauth_artifacts given
          WHERE given.id_hash = $1 AND given.app_id = $2
            AND given.kind IN ('AccessToken', 'ClientCredentials', 'RefreshToken')
            AND t.id_hash = CASE given.kind WHEN 'RefreshToken' THEN given.grant_hash ELSE given.id_hash END`,
};

/**
 * Ends a token of the app. A token that is unknown, or another app's, is left as it is.
 */
export async function revokeToken(database: Database, appId: string, token: string): Promise<void> {
  await database.read(REVOKE, [hashSecretToken(token), appId]);
}
