import type { IncomingMessage } from 'node:http';
import { readAccountSession } from '../../oauth/accountSession.js';
import { isOfOpenApp, readAppSession } from '../../oauth/appSession.js';
import type { FirstPartyPage } from '../../oauth/firstPartyPages.js';
import type { AccountServices } from '../../accounts/AccountServices.js';
import type { SessionDoor } from '../../http/SessionDoor.js';

/**
 * The address of a page's subscriptions, entered by its session. Browsers let pages of any origin open
 * sockets with cookies, so `Origin` must be this service's own: browsers always send it and no script can
 * set it.
 */
export function pageSessionDoor(services: AccountServices, page: FirstPartyPage): SessionDoor {
  const { origin } = new URL(services.config.baseUrl);
  return {
    path: new RegExp(`^${page.path}/live(?:\\?|$)`),
    tokenOf: async (request: IncomingMessage) => {
      if (request.headers.origin !== origin) return undefined;
      const account = await readAccountSession(services, request);
      const session = account && (await readAppSession(services, page, request, account));
      return session !== undefined && isOfOpenApp(session, request) ? session.accessToken : undefined;
    },
  };
}
