import type { Database } from '../database/Database.js';
import { hashSecretToken } from '../domain/secretToken.js';

/**
 * Revoking an access token deletes only that token. Revoking a refresh token deletes its grant and so all
 * tokens of the grant (RFC 7009, 2.1).
 */
const REVOKE = {
  name: 'oauth_revoke',
  text: `DELETE FROM oauth_artifacts t USING oauth_artifacts given
          WHERE given.id_hash = $1 AND given.app_id = $2
            AND given.kind IN ('AccessToken', 'ClientCredentials', 'RefreshToken')
            AND t.id_hash = CASE given.kind WHEN 'RefreshToken' THEN given.grant_hash ELSE given.id_hash END`,
};

/** Revokes a token of the app. An unknown token, or one of another app, is left unchanged. */
export async function revokeToken(database: Database, appId: string, token: string): Promise<void> {
  await database.read(REVOKE, [hashSecretToken(token), appId]);
}
