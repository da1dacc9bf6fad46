import { readConnectionSession } from '../../commands/readConnectionSession.js';
import type { StoredSession } from '../../domain/connectionSession.js';
import { logoPath } from '../../domain/logoPath.js';
import type { Purpose } from '../../domain/purposes.js';
import { hashSecretToken } from '../../domain/secretToken.js';
import { equalInConstantTime } from '../../domain/SecretBox.js';
import type { PagePolicy } from '../../html/pageHeaders.js';
import { PageVisit } from '../../html/PageVisit.js';
import type { Partner } from '../../html/partnerHead.js';
import { readCookie } from '../../http/cookies.js';
import type { ConnectionLink } from '../../loaders/findConnectionLink.js';
import { findConnectionLink } from '../../loaders/findConnectionLink.js';

/**
 * The cookie that binds a session to the browser in which its link was redeemed. Its path is the session's
 * page.
 */
export const CONNECT_COOKIE = 'connect';

/** A visit to an existing connection session. */
export class ConnectVisit extends PageVisit {
  readonly path: string;
  /** Whether the session is bound to this browser. */
  readonly bound: boolean;
  override readonly policy: PagePolicy;

  constructor(
    visit: PageVisit,
    readonly link: ConnectionLink,
    readonly session: StoredSession,
  ) {
    super(visit.services, visit.request, visit.response);
    const cookie = readCookie(visit.request, CONNECT_COOKIE);
    this.path = `/connect/${session.session_id}`;
    this.bound = cookie !== undefined && link.browserHash !== null && opens(cookie, link.browserHash);
    this.policy = {
      frameAncestors: link.redirectUris,
      leadsAway: session.redirect_uri !== null,
      connects: true,
    };
  }

  /** The requested purposes that the app may still use. */
  get offered(): Purpose[] {
    const { allowedPurposes: allowed } = this.link;
    return this.session.requested_purposes.filter((purpose) => allowed?.includes(purpose) ?? true);
  }

  get partner(): Partner {
    const { appId, appName, clientUri, tosUri, policyUri, logoDigest } = this.link;
    return {
      name: appName,
      logo: logoDigest === null ? null : logoPath(appId, logoDigest),
      homePage: clientUri,
      terms: tosUri,
      privacy: policyUri,
    };
  }
}

/** The visit to a session; undefined when there is no such session or its app is disabled. */
export async function openVisit(visit: PageVisit, sessionId: string): Promise<ConnectVisit | undefined> {
  const link = await findConnectionLink(visit.services.database, sessionId);
  if (link?.appActive !== true) return undefined;
  const session = await readConnectionSession(visit.services, link.appId, sessionId);
  return session && new ConnectVisit(visit, link, session);
}

/** Whether a secret matches a stored hash. */
export function opens(secret: string, hash: string): boolean {
  return equalInConstantTime(hashSecretToken(secret), hash);
}
