import type { Request, Response } from 'express';
import type { Client, Interaction, Provider } from 'oidc-provider';
import { nameInText } from '../domain/displayName.js';
import type { Scope } from '../domain/scopes.js';
import type { AccountSession } from '../accounts/AccountSession.js';
import { readAccountSession } from './accountSession.js';
import type { AccountServices } from '../accounts/AccountServices.js';
import { isIdentityScope } from './identityScopes.js';
import { reachOf } from './reach.js';
import { readMemberScopes } from './readMemberScopes.js';

/** One authorization request during sign-in and approval. */
export interface AuthorizationRequest {
  interaction: Interaction;
  client: Client;
  /** As it stands in texts. */
  appName: string;
  redirectUri: string;
  session: AccountSession | undefined;
}

/**
 * The page's request; undefined when it has ended, has expired or began in another browser, or when the
 * client no longer has the redirect URI.
 */
export async function findAuthorizationRequest(
  services: AccountServices,
  provider: Provider,
  request: Request,
  response: Response,
): Promise<AuthorizationRequest | undefined> {
  const interaction = await currentInteraction(provider, request, response);
  if (interaction === undefined || interaction.uid !== request.params['uid']) return undefined;
  const client = await provider.Client.find(String(interaction.params['client_id']));
  const redirectUri = String(interaction.params['redirect_uri']);
  if (client === undefined || !client.redirectUriAllowed(redirectUri)) return undefined;
  return {
    interaction,
    client,
    appName: nameInText(client.clientName ?? '', client.clientId),
    redirectUri,
    session: await readAccountSession(services, request),
  };
}

async function currentInteraction(
  provider: Provider,
  request: Request,
  response: Response,
): Promise<Interaction | undefined> {
  try {
    return await provider.interactionDetails(request, response);
  } catch (error) {
    if (error instanceof Error && error.name === 'SessionNotFound') return undefined;
    throw error;
  }
}

/** The parts of a request that tell what is asked for. */
interface Asked {
  client: Client;
  interaction: Pick<Interaction, 'params'>;
}

/** The requested scopes, as the client wrote them. */
export function requestedScopes({ interaction }: Pick<Asked, 'interaction'>): string[] {
  return String(interaction.params['scope']).split(' ');
}

/**
 * The requested scopes that this account can grant to the client; undefined when the account is not a member
 * or lacks all of them. A request that only asks who signed in is for every member, and has none.
 */
export async function grantableScopes(
  services: Pick<AccountServices, 'database'>,
  request: Asked,
  accountId: string,
): Promise<Scope[] | undefined> {
  const memberScopes = await readMemberScopes(services.database, request.client.clientId, accountId);
  const appScopes = request.client.scope?.split(' ') ?? [];
  if (memberScopes === undefined) return undefined;
  const requested = requestedScopes(request);
  const scopes = reachOf(requested.join(' '), appScopes, memberScopes);
  return scopes.length > 0 || requested.every(isIdentityScope) ? scopes : undefined;
}

/** The URL that restarts the request after the person has switched accounts. */
export function beginningOf({ interaction }: AuthorizationRequest): string {
  const parameters = new URLSearchParams(interaction.params as Record<string, string>);
  return `/oauth/authorize?${parameters.toString()}`;
}
