import type { Database, Row } from '../database/Database.js';

/** A link of a connection session, as known before its app is. */
export interface ConnectionLink {
  appId: string;
  appName: string;
  clientUri: string | null;
  tosUri: string | null;
  policyUri: string | null;
  logoDigest: string | null;
  appActive: boolean;
  redirectUris: string[];
  tokenHash: string;
  /** The browser that the session is bound to; null before the link is redeemed. */
  browserHash: string | null;
}

interface LinkRow extends Row {
  app_id: string;
  name: string;
  client_uri: string | null;
  tos_uri: string | null;
  policy_uri: string | null;
  logo_digest: string | null;
  status: string;
  redirect_uris: string[];
  token_hash: string;
  browser_hash: string | null;
}

export async function findConnectionLink(
  database: Database,
  sessionId: string,
): Promise<ConnectionLink | undefined> {
  const [row] = await database.read<LinkRow>(FIND, [sessionId]);
  if (row === undefined) return undefined;
  return {
    appId: row.app_id,
    appName: row.name,
    clientUri: row.client_uri,
    tosUri: row.tos_uri,
    policyUri: row.policy_uri,
    logoDigest: row.logo_digest,
    appActive: row.status === 'active',
    redirectUris: row.redirect_uris,
    tokenHash: row.token_hash,
    browserHash: row.browser_hash,
  };
}

const FIND = {
  name: 'connection_link_find',
  text: `SELECT l.app_id, a.name, a.client_uri, a.tos_uri, a.policy_uri, a.logo_digest, a.status,
    a.redirect_uris, l.token_hash, l.browser_hash
           FROM connection_links l JOIN apps a USING (app_id) WHERE l.session_id = $1`,
};
