import { isIdentityScope } from './identityScopes.js';
import type { Scope } from '../domain/scopes.js';
import { isScope } from '../domain/scopes.js';

/**
 * The current scopes of a token: scope ∩ app's scopes ∩ member's scopes (docs/contract.md#authentication).
 *
 * @param scope the token's own, separated by spaces
 * @param memberScopes null for a token without a person (client credentials)
 */
export function reachOf(
  scope: string | null,
  appScopes: readonly string[],
  memberScopes: readonly string[] | null,
): Scope[] {
  return (scope ?? '')
    .split(' ')
    .filter(isScope)
    .filter((name) => appScopes.includes(name) && (memberScopes === null || memberScopes.includes(name)));
}

/** The scope of a token as clients see it: with a person, its identity scopes, then its current reach. */
export function presentScope(
  scope: string | null,
  appScopes: readonly string[],
  memberScopes: readonly string[] | null,
): string {
  const identity = memberScopes === null ? [] : (scope ?? '').split(' ').filter(isIdentityScope);
  return [...identity, ...reachOf(scope, appScopes, memberScopes)].join(' ');
}
