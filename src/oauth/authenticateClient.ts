import type { Request } from 'express';
import { ServiceError } from '../errors.js';
import { equalInConstantTime } from '../domain/SecretBox.js';
import { hashSecretToken } from '../domain/secretToken.js';
import type { AccountServices } from '../accounts/AccountServices.js';
import type { Form } from './readForm.js';
import { singleField } from './readForm.js';
import { SECRET_COLUMNS, secretHashes } from '../domain/clientSecrets.js';
import type { SecretColumns } from '../domain/clientSecrets.js';

export interface AuthenticatedClient {
  appId: string;
  allowedScopes: readonly string[];
}

export interface ClientCredentials {
  clientId: string;
  secret?: string;
}

interface AppRow extends SecretColumns {
  client_type: string;
  allowed_scopes: string[];
}

const FIND = {
  name: 'oauth_authenticate_client',
  text: `SELECT client_type, ${SECRET_COLUMNS}, allowed_scopes FROM apps WHERE app_id = $1
    AND status = 'active'`,
};

/** Authenticates a client by its secret or, with `allowPublic`, a public client by its id only. */
export async function authenticateClient(
  { database, clock }: Pick<AccountServices, 'database' | 'clock'>,
  credentials: ClientCredentials | undefined,
  allowPublic: boolean,
): Promise<AuthenticatedClient | undefined> {
  if (credentials === undefined) return undefined;
  const [app] = await database.read<AppRow>(FIND, [credentials.clientId]);
  if (app === undefined || !proves(app, credentials.secret, allowPublic, clock())) return undefined;
  return { appId: credentials.clientId, allowedScopes: app.allowed_scopes };
}

function proves(app: AppRow, secret: string | undefined, allowPublic: boolean, now: Date): boolean {
  if (app.client_type === 'public') return allowPublic && secret === undefined;
  if (secret === undefined) return false;
  return secretHashes(app, now).some((hash) => equalInConstantTime(hashSecretToken(secret), hash));
}

/** `Authorization: Basic` with both parts form-encoded (RFC 6749, 2.3.1). */
export function basicCredentials(request: Request): ClientCredentials | undefined {
  const [, encoded] = /^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(request.headers.authorization ?? '') ?? [];
  const text = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString('utf8');
  const at = text.indexOf(':');
  if (at < 1) return undefined;
  const [clientId, secret] = [text.slice(0, at), text.slice(at + 1)].map(formDecoded);
  return clientId === undefined || secret === undefined ? undefined : { clientId, secret };
}

/**
 * Credentials from HTTP Basic, or from the form (`client_id`, `client_secret`).
 *
 * @throws ServiceError `invalid_request` for both (RFC 6749, 2.3), or for one that is repeated (3.2)
 */
export function clientCredentials(request: Request, form: Form): ClientCredentials | undefined {
  const [clientId, secret] = ['client_id', 'client_secret'].map((name) => {
    if (form.fields.getAll(name).length > 1)
      throw new ServiceError('invalid_request', `The parameter ${name} is repeated.`);
    return singleField(form, name);
  });
  if (request.headers.authorization !== undefined) {
    const credentials = basicCredentials(request);
    const isOther = clientId !== undefined && clientId !== credentials?.clientId;
    if (credentials !== undefined && (secret !== undefined || isOther))
      throw new ServiceError('invalid_request', 'A client authenticates in one way only.');
    return credentials;
  }
  if (clientId === undefined) return undefined;
  return secret === undefined ? { clientId } : { clientId, secret };
}

function formDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
