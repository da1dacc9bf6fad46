import { fingerprint } from '../config.js';
import type { Config } from '../config.js';
import { equalInConstantTime } from '../domain/SecretBox.js';
import type { Caller } from './Caller.js';

/** The credentials of a request, as its headers carry them. */
export interface Credentials {
  authorization: string | undefined;
  adminKey: string | undefined;
}

export interface BearerVerifier {
  verify(bearer: string): Promise<Caller>;
}

/** Who calls. Any doubt leaves the caller anonymous, with the reason. */
export async function identifyCaller(
  config: Config,
  verifier: BearerVerifier,
  { authorization, adminKey }: Credentials,
): Promise<Caller> {
  if (adminKey !== undefined)
    return isAdminKey(config, adminKey)
      ? { kind: 'admin', key: fingerprint(adminKey) }
      : anonymous('The administrative key is wrong.');
  if (authorization === undefined) return anonymous('An access token is required.');
  const [, bearer] = /^Bearer +([A-Za-z0-9\-._~+/]+=*)$/i.exec(authorization) ?? [];
  return bearer === undefined
    ? anonymous('The Authorization header must be "Bearer" and an access token.')
    : verifier.verify(bearer);
}

/** Compares with every key, so that the time tells neither which one nor how far it matched. */
function isAdminKey({ secrets }: Config, sent: string): boolean {
  return secrets.adminKeys.map((key) => equalInConstantTime(key, sent)).includes(true);
}

function anonymous(reason: string): Caller {
  return { kind: 'anonymous', reason };
}
