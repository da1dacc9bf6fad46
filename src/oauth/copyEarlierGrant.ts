import type { Grant, KoaContextWithOIDC } from 'oidc-provider';
import { firstPartyPageOf } from './firstPartyPages.js';

/**
 * The grant of this authorization: the one just approved on the approval page, or a copy of the grant that
 * the person approved for the same program earlier in the session. It is a copy because each authorization
 * has its own token family: reuse of a refresh token in one must not end the others.
 *
 * Pages of this service use the client ids of the apps, so the session keeps a grant per client and page.
 */
export function copyEarlierGrant({ baseUrl }: { baseUrl: string }) {
  return async (ctx: KoaContextWithOIDC): Promise<Grant | undefined> => {
    const { client, session, result, params, provider } = ctx.oidc;
    if (client === undefined || session === undefined) return undefined;
    const redirectUri = String(params?.['redirect_uri']);
    const page = firstPartyPageOf(baseUrl, redirectUri);
    const program = `${client.clientId} ${page?.name ?? ''}`;
    const approved = result?.consent?.grantId;
    const isProvable = client.clientAuthMethod !== 'none' || isHeldByOne(redirectUri);
    const earlierId = page !== undefined || isProvable ? session.grantIdFor(program) : undefined;
    const grant = approved === undefined ? await copyOf(ctx, earlierId) : await provider.Grant.find(approved);
    if (grant?.jti !== undefined) session.grantIdFor(program, grant.jti);
    return grant;
  };
}

/**
 * Whether only one program can receive what is sent to the address. Any program on the device can listen on a
 * loopback port, so a client without a secret is approved each time there (RFC 8252, 8.6). The provider asks
 * each time for clients with a scheme of their own.
 */
function isHeldByOne(redirectUri: string): boolean {
  return redirectUri.startsWith('https:');
}

async function copyOf(ctx: KoaContextWithOIDC, earlierId: string | undefined): Promise<Grant | undefined> {
  const { session, provider } = ctx.oidc;
  const earlier = earlierId === undefined ? undefined : await provider.Grant.find(earlierId);
  if (earlier === undefined || earlier.accountId !== session?.accountId) return undefined;
  const copy = new provider.Grant({ accountId: earlier.accountId, clientId: earlier.clientId });
  copy.addOIDCScope(earlier.getOIDCScope());
  copy.rejectOIDCScope(earlier.getRejectedOIDCScope());
  await copy.save();
  return copy;
}
