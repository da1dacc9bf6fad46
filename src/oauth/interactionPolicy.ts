import type { KoaContextWithOIDC } from 'oidc-provider';
import { errors, interactionPolicy } from './oidcProvider.js';
import { isIdentityScope } from './identityScopes.js';
import { isScope } from '../domain/scopes.js';
import type { AccountServices } from '../accounts/AccountServices.js';
import { readMemberScopes } from './readMemberScopes.js';

type Policy = ReturnType<typeof interactionPolicy.base>;

/**
 * oidc-provider's own policy: sign in, then approve. Two checks come first. Scopes that the provider would
 * silently drop are refused. A person who is not a member of the app stops at the approval page, even after
 * an earlier approval.
 */
export function interactionPolicyOf(services: Pick<AccountServices, 'database'>): Policy {
  const { Check, base } = interactionPolicy;
  const policy = base();
  policy.get('login')?.checks.add(new Check('scopes', 'scopes are known', refuseUnknownScopes), 0);
  policy
    .get('consent')
    ?.checks.add(new Check('member', 'not a member', (ctx) => isNoMember(services, ctx)), 0);
  return policy;
}

async function isNoMember(
  { database }: Pick<AccountServices, 'database'>,
  { oidc }: KoaContextWithOIDC,
): Promise<boolean> {
  const scopes = await readMemberScopes(database, oidc.client?.clientId ?? '', oidc.session?.accountId ?? '');
  return scopes === undefined;
}

function refuseUnknownScopes(ctx: KoaContextWithOIDC): boolean {
  if (ctx.oidc.route === 'authorization') {
    const requested = String(ctx.query['scope'] ?? '');
    if (requested === '') throw new errors.InvalidScope('scope is required', '');
    const unknown = requested.split(' ').find((name) => !isRequestable(name));
    if (unknown !== undefined) throw new errors.InvalidScope('requested scope is not allowed', unknown);
  }
  return interactionPolicy.Check.NO_NEED_TO_PROMPT;
}

export function isRequestable(scope: string): boolean {
  return isIdentityScope(scope) || isScope(scope);
}
