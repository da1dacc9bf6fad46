import type { PageVisit } from '../../html/PageVisit.js';
import { findConnectionLink } from '../../loaders/findConnectionLink.js';

/** On the way to a partner's question: for whom the person signs in. */
export async function connectLead({ services, returnTo, texts }: PageVisit): Promise<{ lead?: string }> {
  const sessionId = /^\/connect\/(\w+)$/.exec(returnTo)?.[1];
  if (sessionId === undefined) return {};
  const link = await findConnectionLink(services.database, sessionId);
  return link?.appActive === true ? { lead: texts.connect.signInLead(link.appName) } : {};
}
