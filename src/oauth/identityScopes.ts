/**
 * Scopes that tell who signed in and reach no data of an app: open to every client, granted by the person.
 */
export const IDENTITY_SCOPES = ['openid', 'email'] as const;

export function isIdentityScope(scope: string): boolean {
  return (IDENTITY_SCOPES as readonly string[]).includes(scope);
}
