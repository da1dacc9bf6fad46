import type { Grant, KoaContextWithOIDC } from 'oidc-provider';
import { firstPartyPageOf } from './firstPartyPages.js';

/**
 * The grant of this authorization: the one just approved on the approval page, or a new one, with what the
 * person decided about the same program earlier in the session. It is no earlier grant because each
 * authorization has its own token family: reuse of a refresh token in one must not end the others. Its tokens
 * have only the scopes that this authorization requests.
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
    const earlier = earlierId === undefined ? undefined : await provider.Grant.find(earlierId);
    const own = earlier?.accountId === session.accountId ? earlier : undefined;
    const grant = approved === undefined ? own && emptyLike(ctx, own) : await provider.Grant.find(approved);
    if (grant !== undefined && own !== undefined) await keepDecisions(grant, own);
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

function emptyLike({ oidc }: KoaContextWithOIDC, { accountId, clientId }: Grant): Grant {
  return new oidc.provider.Grant({ accountId, clientId });
}

/** Adds what was decided earlier about scopes of which the grant says nothing, and stores it. */
async function keepDecisions(grant: Grant, earlier: Grant): Promise<void> {
  const decided = grant.getOIDCScopeEncountered().split(' ');
  const others = (scope: string): string[] => scope.split(' ').filter((name) => !decided.includes(name));
  const [granted, refused] = [others(earlier.getOIDCScope()), others(earlier.getRejectedOIDCScope())];
  if (granted.length > 0) grant.addOIDCScope(granted.join(' '));
  if (refused.length > 0) grant.rejectOIDCScope(refused.join(' '));
  await grant.save();
}
