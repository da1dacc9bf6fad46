import type { Request } from 'express';
import { findConnectionLink } from '../../loaders/findConnectionLink.js';
import { textsFor } from '../../texts/textsFor.js';
import { queryText } from '../../http/formValues.js';
import { localeOfRequest } from '../../http/localeOfRequest.js';
import type { AccountServices } from '../../accounts/AccountServices.js';
import { returnPath } from '../../http/returnPath.js';

/** On the way to a partner's question: for whom the person signs in. */
export async function connectLead(services: AccountServices, request: Request): Promise<{ lead?: string }> {
  const sessionId = /^\/connect\/(\w+)$/.exec(returnPath(queryText(request, 'return_to')))?.[1];
  if (sessionId === undefined) return {};
  const link = await findConnectionLink(services.database, sessionId);
  if (link?.appActive !== true) return {};
  return { lead: textsFor(localeOfRequest(request)).connect.signInLead(link.appName) };
}
