import type { Database } from '../database/Database.js';
import { nameInText } from '../domain/displayName.js';
import type { Purpose } from '../domain/purposes.js';

/** A link of a connection session, as known before its app is. */
export interface ConnectionLink {
  appId: string;
  /** As it stands in texts. */
  appName: string;
  clientUri: string | null;
  tosUri: string | null;
  policyUri: string | null;
  logoDigest: string | null;
  appActive: boolean;
  /** Purposes that the app may use now; null: all. */
  allowedPurposes: Purpose[] | null;
  redirectUris: string[];
  tokenHash: string;
  /** The browser that the session is bound to; null before the link is redeemed. */
  browserHash: string | null;
}

export async function findConnectionLink(
  database: Database,
  sessionId: string,
): Promise<ConnectionLink | undefined> {
  const [link] = await database.read<ConnectionLink>(FIND, [sessionId]);
  return link && { ...link, appName: nameInText(link.appName, link.appId) };
}

const FIND = {
  name: 'connection_link_find',
  text: `SELECT l.app_id AS "appId", a.name AS "appName", a.client_uri AS "clientUri", a.tos_uri AS "tosUri",
                a.policy_uri AS "policyUri", a.logo_digest AS "logoDigest", a.status = 'active' AS "appActive",
                a.allowed_consent_purposes AS "allowedPurposes",
                a.redirect_uris AS "redirectUris", l.token_hash AS "tokenHash", l.browser_hash AS "browserHash"
           FROM connection_links l JOIN apps a USING (app_id) WHERE l.session_id = $1`,
};
