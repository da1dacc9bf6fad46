import * as client from 'openid-client';
import type { SecretBox } from '../domain/SecretBox.js';
import type { AccountServices } from '../accounts/AccountServices.js';
import { ServiceError } from '../errors.js';

const FIRST_PARTY = 'first-party-client';

/**
 * Whether this is the secret with which a page of this service authenticates as a confidential app. Only the
 * service's nodes can compute it. It identifies no person: a member of the app must still authorize.
 */
export function isFirstPartySecret(secrets: SecretBox, clientId: string, secret: string): boolean {
  return secrets.verifyMac(FIRST_PARTY, clientId, secret);
}

/**
 * This service's authorization server as a client configuration. Requests go over HTTP to this node's
 * address.
 */
export function firstPartyClient(
  services: AccountServices,
  appId: string,
  isPublic: boolean,
): client.Configuration {
  const { baseUrl } = services.config;
  const configuration = new client.Configuration(
    {
      issuer: baseUrl,
      authorization_endpoint: `${baseUrl}/oauth/authorize`,
      token_endpoint: `${baseUrl}/oauth/token`,
      authorization_response_iss_parameter_supported: true,
    },
    appId,
    { id_token_signed_response_alg: 'ES256' },
    isPublic ? client.None() : client.ClientSecretBasic(services.secrets.mac(FIRST_PARTY, appId)),
  );
  if (baseUrl.startsWith('http:')) client.allowInsecureRequests(configuration);
  configuration[client.customFetch] = (url, options) =>
    fetchAtThisNode(services, url, options as RequestInit);
  return configuration;
}

/**
 * Asks this service at this node.
 *
 * @throws ServiceError `unavailable` when no answer comes: a node that stops takes no connection
 */
export async function fetchAtThisNode(
  { config, log }: AccountServices,
  url: string,
  options: RequestInit,
): Promise<Response> {
  try {
    return await fetch(atThisNode(config, url), options);
  } catch (error) {
    options.signal?.throwIfAborted();
    log.error({ err: error }, 'this node does not answer itself');
    throw new ServiceError('unavailable', 'The service cannot answer right now.');
  }
}

/** The URL at this node, which avoids a round trip through the load balancer. */
export function atThisNode({ baseUrl, host, port }: AccountServices['config'], url: string): string {
  const name = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[host] ?? (host.includes(':') ? `[${host}]` : host);
  return url.startsWith(`${baseUrl}/`) ? `http://${name}:${port}${url.slice(baseUrl.length)}` : url;
}
