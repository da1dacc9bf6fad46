import type { IncomingMessage } from 'node:http';
import { fingerprint } from '../domain/secretToken.js';
import type { Config } from '../config.js';
import { equalInConstantTime } from '../domain/SecretBox.js';
import { repeatedHeader } from '../errors.js';
import type { Caller } from './Caller.js';

/** The credentials in a request's headers. */
export interface HeaderCredentials {
  authorization: string | undefined;
  adminKey: string | undefined;
}

export interface BearerVerifier {
  verify(bearer: string): Promise<Caller>;
}

/** Identifies the caller. In doubt the caller is anonymous, with a reason. */
export async function identifyCaller(
  config: Config,
  verifier: BearerVerifier,
  { authorization, adminKey }: HeaderCredentials,
): Promise<Caller> {
  if (adminKey !== undefined)
    return isAdminKey(config, adminKey)
      ? { kind: 'admin', key: fingerprint(adminKey) }
      : anonymous('The administrative key is wrong.');
  if (authorization === undefined) return anonymous('An access token is required.');
  const bearer = bearerIn(authorization);
  return bearer === undefined
    ? anonymous('The Authorization header must be "Bearer" and an access token.')
    : verifier.verify(bearer);
}

/** The token of an `Authorization` header (RFC 6750, 2.1). */
export function bearerIn(authorization: string): string | undefined {
  return /^Bearer +([\w.~+/-]+=*)$/i.exec(authorization)?.[1];
}

/** Compares with every key, so that the time reveals neither the key nor the length of a match. */
function isAdminKey({ secrets }: Config, sent: string): boolean {
  return secrets.adminKeys.map((key) => equalInConstantTime(key, sent)).includes(true);
}

function anonymous(reason: string): Caller {
  return { kind: 'anonymous', reason };
}

/**
 * @throws ServiceError `invalid_request` for two `Authorization` headers: a proxy may have checked the other
 *   one
 */
export function credentialsOf(request: IncomingMessage): HeaderCredentials {
  const { headers } = request;
  requireOneAuthorization(request);
  return {
    authorization: headers.authorization,
    // Node joins other repeated headers, so this is never an array.
    adminKey: headers['x-service-admin-key'] as string | undefined,
  };
}

/**
 * Node keeps the first of several `Authorization` headers and drops the others silently.
 *
 * @throws ServiceError `invalid_request`
 */
export function requireOneAuthorization({ headers, headersDistinct }: IncomingMessage): void {
  // A page with a session puts its token there: then the client sent none.
  if (headers.authorization === undefined || (headersDistinct['authorization']?.length ?? 0) <= 1) return;
  throw repeatedHeader('Authorization');
}
