import type { Request } from 'express';
import { readConnectionSession } from '../../commands/readConnectionSession.js';
import type { StoredSession } from '../../domain/connectionSession.js';
import { hashSecretToken } from '../../domain/secretToken.js';
import { equalInConstantTime } from '../../domain/SecretBox.js';
import type { ConnectionLink } from '../../loaders/findConnectionLink.js';
import { findConnectionLink } from '../../loaders/findConnectionLink.js';
import { readCookie } from '../../http/cookies.js';
import { logoPath } from '../../domain/logoPath.js';
import type { Partner } from '../../html/partnerHead.js';
import type { PagePolicy } from '../../html/pageHeaders.js';
import type { AccountServices } from '../../accounts/AccountServices.js';

/**
 * The cookie that binds a session to the browser in which its link was redeemed. Its path is the session's.
 */
export const CONNECT_COOKIE = 'connect';

/** Someone at the door of a connection session that exists. */
export interface ConnectVisit {
  link: ConnectionLink;
  partner: Partner;
  session: StoredSession;
  path: string;
  /** This is the browser that the session is bound to. */
  bound: boolean;
  policy: PagePolicy;
}

/** Who is at the door. Undefined when there is no such session, or its app is disabled. */
export async function openVisit(
  services: AccountServices,
  request: Request,
  sessionId: string,
): Promise<ConnectVisit | undefined> {
  const link = await findConnectionLink(services.database, sessionId);
  if (link?.appActive !== true) return undefined;
  const session = await readConnectionSession(services, link.appId, sessionId);
  if (session === undefined) return undefined;
  const cookie = readCookie(request, CONNECT_COOKIE);
  return {
    link,
    partner: partnerOf(link),
    session,
    path: `/connect/${sessionId}`,
    bound: cookie !== undefined && link.browserHash !== null && opens(cookie, link.browserHash),
    policy: {
      frameAncestors: link.redirectUris,
      formTargets: session.redirect_uri === null ? [] : [session.redirect_uri],
      connects: true,
    },
  };
}

function partnerOf({ appId, appName, clientUri, tosUri, policyUri, logoDigest }: ConnectionLink): Partner {
  return {
    name: appName,
    logo: logoDigest === null ? null : logoPath(appId, logoDigest),
    homePage: clientUri,
    terms: tosUri,
    privacy: policyUri,
  };
}

/** Whether a secret is the one that was stored as this hash. */
export function opens(secret: string, hash: string): boolean {
  return equalInConstantTime(hashSecretToken(secret), hash);
}
