import type { KoaContextWithOIDC } from 'oidc-provider';
import { errors, interactionPolicy } from './oidcProvider.js';
import { grantableScopes } from './AuthorizationRequest.js';
import { isIdentityScope } from './identityScopes.js';
import { isScope } from '../domain/scopes.js';
import type { AccountServices } from '../accounts/AccountServices.js';

type Policy = ReturnType<typeof interactionPolicy.base>;

/**
 * oidc-provider's own policy: sign in, then approve. Two checks come first. Scopes that the provider would
 * silently drop are refused. A person who cannot grant anything (`grantableScopes`) stops at the approval
 * page, even after an earlier approval.
 */
export function interactionPolicyOf(services: Pick<AccountServices, 'database'>): Policy {
  const { Check, base } = interactionPolicy;
  const policy = base();
  policy.get('login')?.checks.add(new Check('scopes', 'scopes are known', requireScopes), 0);
  policy
    .get('consent')
    ?.checks.add(new Check('access', 'no access to the app', (ctx) => hasNoAccess(services, ctx)), 0);
  return policy;
}

async function hasNoAccess(
  services: Pick<AccountServices, 'database'>,
  { oidc: { client, params = {}, session } }: KoaContextWithOIDC,
): Promise<boolean> {
  if (client === undefined) return true;
  const request = { client, interaction: { params } };
  return (await grantableScopes(services, request, session?.accountId ?? '')) === undefined;
}

function requireScopes(ctx: KoaContextWithOIDC): boolean {
  if (ctx.oidc.route === 'authorization') {
    const requested = String(ctx.query['scope'] ?? '');
    if (requested === '') throw new errors.InvalidScope('scope is required', '');
    refuseUnrequestable(requested);
  }
  return interactionPolicy.Check.NO_NEED_TO_PROMPT;
}

/**
 * oidc-provider silently drops unknown scopes; here the client gets an error. Names are parted by one space
 * (RFC 6749, 3.3).
 *
 * @throws errors.InvalidScope when the text names a scope that does not exist
 */
export function refuseUnrequestable(requested: string): void {
  const names = requested === '' ? [] : requested.split(' ');
  const unknown = names.find((name) => !isIdentityScope(name) && !isScope(name));
  if (unknown !== undefined) throw new errors.InvalidScope('requested scope is not allowed', unknown);
}
