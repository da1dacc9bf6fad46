import type { AdapterPayload } from 'oidc-provider';
import type { Reader } from './oauthReader.js';
import { IDENTITY_SCOPES } from './identityScopes.js';
import { SECRET_COLUMNS, secretHashes } from '../domain/clientSecrets.js';
import type { SecretColumns } from '../domain/clientSecrets.js';

const QUERY = {
  name: 'oauth_find_client',
  text: `SELECT app_id, name, client_type, ${SECRET_COLUMNS}, redirect_uris, allowed_scopes
           FROM apps WHERE app_id = $1 AND status = 'active'`,
};

interface AppRow extends SecretColumns {
  app_id: string;
  name: string;
  client_type: 'public' | 'confidential';
  redirect_uris: string[];
  allowed_scopes: string[];
}

/**
 * The app as an OAuth client (RFC 7591 metadata); undefined when it does not exist or is disabled.
 * `client_secret` holds the hashes of the currently valid secrets; `compareClientSecret` hashes the presented
 * one.
 */
export async function findClient(
  database: Reader,
  clientId: string,
  now: Date,
): Promise<AdapterPayload | undefined> {
  const [app] = await database.read<AppRow>(QUERY, [clientId]);
  return app === undefined ? undefined : clientOf(app, now);
}

function clientOf(app: AppRow, now: Date): AdapterPayload {
  const confidential = app.client_type === 'confidential';
  return {
    client_id: app.app_id,
    client_name: app.name,
    ...(confidential ? { client_secret: secretHashes(app, now).join(' ') } : {}),
    application_type: app.redirect_uris.every(isWebUri) ? 'web' : 'native',
    redirect_uris: app.redirect_uris,
    response_types: ['code'],
    grant_types: ['authorization_code', 'refresh_token', ...(confidential ? ['client_credentials'] : [])],
    token_endpoint_auth_method: confidential ? 'client_secret_basic' : 'none',
    scope: [...IDENTITY_SCOPES, ...app.allowed_scopes].join(' '),
  };
}

function isWebUri(uri: string): boolean {
  return /^https?:/i.test(uri);
}
