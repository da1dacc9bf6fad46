import { hashSecretToken } from '../domain/secretToken.js';
import type { AccountServices } from '../accounts/AccountServices.js';
import { presentScope, reachOf } from './reach.js';

/** RFC 7662, with the fields of docs/contract.md#authentication. */
export type Introspection =
  | { active: false }
  | {
      active: true;
      scope: string;
      client_id: string;
      username?: string;
      token_type?: 'Bearer';
      exp: number;
      iat: number;
      sub: string;
      aud: string;
      iss: string;
    };

interface TokenRow {
  kind: string;
  account_id: string | null;
  scope: string | null;
  issued_at: string;
  expires_at: string;
  consumed_at: string | null;
  allowed_scopes: string[];
  member_scopes: string[] | null;
  email: string | null;
}

const READ = {
  name: 'oauth_introspect',
  text: `SELECT t.kind, t.account_id, t.scope, t.issued_at, t.expires_at, t.consumed_at, a.allowed_scopes,
                m.scopes AS member_scopes, c.email
           FROM oauth_artifacts t
           JOIN apps a ON a.app_id = t.app_id AND a.status = 'active'
           LEFT JOIN app_members m ON m.app_id = t.app_id AND m.account_id = t.account_id
           LEFT JOIN accounts c ON c.account_id = t.account_id
          WHERE t.id_hash = $1 AND t.app_id = $2 AND t.expires_at > now()
            AND t.kind IN ('AccessToken', 'ClientCredentials', 'RefreshToken')`,
};

/** The state of a token for the app to which it was issued. For any other app it is inactive. */
export async function introspectToken(
  services: AccountServices,
  appId: string,
  token: string,
): Promise<Introspection> {
  const [row] = await services.database.read<TokenRow>(READ, [hashSecretToken(token), appId]);
  if (row === undefined || !isActive(row)) return { active: false };
  const { baseUrl } = services.config;
  return {
    active: true,
    scope: presentScope(row.scope, row.allowed_scopes, row.member_scopes),
    client_id: appId,
    ...(row.email === null ? {} : { username: row.email }),
    ...(row.kind === 'RefreshToken' ? {} : { token_type: 'Bearer' as const }),
    exp: epochSeconds(row.expires_at),
    iat: epochSeconds(row.issued_at),
    sub: row.account_id ?? appId,
    aud: baseUrl,
    iss: baseUrl,
  };
}

function isActive(row: TokenRow): boolean {
  if (row.account_id !== null && row.member_scopes === null) return false;
  const mayStay = reachOf('offline_access', row.allowed_scopes, row.member_scopes).length > 0;
  if (row.kind === 'RefreshToken' && !mayStay) return false;
  return row.consumed_at === null;
}

function epochSeconds(isoTime: string): number {
  return Math.floor(Date.parse(isoTime) / 1000);
}
