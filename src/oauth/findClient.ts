import type { AdapterPayload } from 'oidc-provider';
import type { Reader } from './oauthReader.js';

const QUERY = {
  name: 'oauth_find_client',
  text: `SELECT app_id, name, client_type, client_secret_hash, redirect_uris, allowed_scopes
           FROM apps WHERE app_id = $1 AND status = 'active'`,
};

interface AppRow extends Record<string, unknown> {
  app_id: string;
  name: string;
  client_type: 'public' | 'confidential';
  client_secret_hash: string | null;
  redirect_uris: string[];
  allowed_scopes: string[];
}

/**
 * The app as an OAuth client (RFC 7591 metadata), or undefined when there is none or it is disabled. In place of the
 * secret stands its hash: `compareClientSecret` hashes what a client presents.
 */
export async function findClient(database: Reader, clientId: string): Promise<AdapterPayload | undefined> {
  const [app] = await database.read<AppRow>(QUERY, [clientId]);
  return app === undefined ? undefined : clientOf(app);
}

function clientOf(app: AppRow): AdapterPayload {
  const confidential = app.client_type === 'confidential';
  return {
    client_id: app.app_id,
    client_name: app.name,
    ...(app.client_secret_hash === null ? {} : { client_secret: app.client_secret_hash }),
    application_type: app.redirect_uris.every(isWebUri) ? 'web' : 'native',
    redirect_uris: app.redirect_uris,
    response_types: ['code'],
    grant_types: ['authorization_code', 'refresh_token', ...(confidential ? ['client_credentials'] : [])],
    token_endpoint_auth_method: confidential ? 'client_secret_basic' : 'none',
    scope: ['openid', ...app.allowed_scopes].join(' '),
  };
}

function isWebUri(uri: string): boolean {
  return /^https?:/i.test(uri);
}
