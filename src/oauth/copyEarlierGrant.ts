import type { Grant, KoaContextWithOIDC } from 'oidc-provider';

/**
 * The grant of this authorization: the one just approved on the approval page, or a copy of the grant that
 * the person approved for this app earlier in the session. It is a copy because each authorization has its
 * own token family: reuse of a refresh token in one must not end the others.
 */
export async function copyEarlierGrant(ctx: KoaContextWithOIDC): Promise<Grant | undefined> {
  const { client, session, result, provider } = ctx.oidc;
  const approved = result?.consent?.grantId;
  if (approved !== undefined) return provider.Grant.find(approved);
  const earlierId = client && session?.grantIdFor(client.clientId);
  const earlier = earlierId === undefined ? undefined : await provider.Grant.find(earlierId);
  if (earlier === undefined || earlier.accountId !== session?.accountId) return undefined;
  const copy = new provider.Grant({ accountId: earlier.accountId, clientId: earlier.clientId });
  copy.addOIDCScope(earlier.getOIDCScope());
  copy.rejectOIDCScope(earlier.getRejectedOIDCScope());
  await copy.save();
  return copy;
}
