/**
 * Scopes that identify the person and give no access to an app's data. Every client may request them; the
 * person grants them.
 */
export const IDENTITY_SCOPES = ['openid', 'email'] as const;

export function isIdentityScope(scope: string): boolean {
  return (IDENTITY_SCOPES as readonly string[]).includes(scope);
}
