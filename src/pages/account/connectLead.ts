import type { PageVisit } from '../../html/PageVisit.js';
import { findConnectionLink } from '../../loaders/findConnectionLink.js';

/** For a sign-in on the way to a connection session: names the partner. */
export async function connectLead({ services, returnTo, texts }: PageVisit): Promise<{ lead?: string }> {
  const sessionId = /^\/connect\/(\w+)$/.exec(returnTo)?.[1];
  if (sessionId === undefined) return {};
  const link = await findConnectionLink(services.database, sessionId);
  return link?.appActive === true ? { lead: texts.connect.signInLead(link.appName) } : {};
}
