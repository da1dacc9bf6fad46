import type { Request } from 'express';
import express from 'express';
import { withdrawConnection } from '../../commands/withdrawConnection.js';
import type { Purpose } from '../../domain/purposes.js';
import { isPurpose } from '../../domain/purposes.js';
import type { AccountConnection } from '../../loaders/listAccountConnections.js';
import { hasAccountLink, listAccountConnections } from '../../loaders/listAccountConnections.js';
import type { AccountSession } from '../../accounts/AccountSession.js';
import { timeZoneOf } from '../account/timeZoneOf.js';
import { accountBar } from '../account/accountBar.js';
import { formText, queryText } from '../../http/formValues.js';
import { localeOfRequest } from '../../http/localeOfRequest.js';
import { formToken, isOwnForm } from '../../html/formGuard.js';
import { sendFormRefused } from '../../html/sendFormRefused.js';
import { sendOn, sendPage } from '../../html/sendPage.js';
import type { SignedInStep as Step } from '../account/signedIn.js';
import { signedIn } from '../account/signedIn.js';
import type { AccountServices } from '../../accounts/AccountServices.js';
import type { ConnectionsView } from './connectionsPage.js';
import { connectionsPage } from './connectionsPage.js';

const PATH = '/connections';
const back = (): string => PATH;

/** "My connections": what a signed-in person allowed to whom, and taking it back. */
export function connectionsRouter(services: AccountServices): express.Router {
  const router = express.Router();
  router.get(PATH, signedIn(services, show, back));
  router.post(`${PATH}/withdraw`, signedIn(services, withdraw, back));
  return router;
}

const show: Step = async (services, request, response, account) => {
  const locale = localeOfRequest(request);
  const connections = await listAccountConnections(services, account.accountId);
  const withdrawn = justWithdrawn(request, connections);
  const view: ConnectionsView = {
    locale,
    zone: timeZoneOf(request, account),
    connections,
    account: accountBar(services, request, response, locale, account, PATH),
    guard: formToken(services, request, response, bindingOf(account)),
    ...(withdrawn === undefined ? {} : { withdrawn }),
  };
  sendPage(response, 200, connectionsPage(view));
};

function bindingOf(account: AccountSession): string {
  return `connections:${account.id}`;
}

const withdraw: Step = async (services, request, response, account) => {
  if (!isOwnForm(services, request, bindingOf(account))) {
    return sendFormRefused(response, localeOfRequest(request), PATH);
  }
  const [appId, customerId] = [formText(request, 'app_id'), formText(request, 'customer_id')];
  const chosen = chosenPurpose(formText(request, 'purpose'));
  const linked = await hasAccountLink(services.database, account.accountId, appId, customerId);
  if (!linked || chosen === undefined) return sendOn(response, PATH);
  const input = {
    customerId,
    accountId: account.accountId,
    ...(chosen === 'all' ? {} : { purposes: [chosen] }),
  };
  const { clock, secrets } = services;
  const context = { appId, now: clock(), clock, secrets, rejected: new Map() };
  await services.database.transaction(appId, (tx) => withdrawConnection(tx, context, input));
  sendOn(response, `${PATH}?${new URLSearchParams({ withdrawn: chosen, from: appId }).toString()}`);
};

function chosenPurpose(text: string): Purpose | 'all' | undefined {
  return text === 'all' || isPurpose(text) ? text : undefined;
}

/** What the address says was withdrawn, if it is so: nobody can make the page claim what did not happen. */
function justWithdrawn(
  request: Request,
  connections: readonly AccountConnection[],
): ConnectionsView['withdrawn'] {
  const purpose = chosenPurpose(queryText(request, 'withdrawn') ?? '');
  const from = queryText(request, 'from');
  const connection = connections.find(({ appId }) => appId === from);
  if (purpose === undefined || connection === undefined) return undefined;
  const closed = connection.purposes.filter((item) => item.state === 'withdrawn').map((item) => item.purpose);
  const isSo = purpose === 'all' ? closed.length === connection.purposes.length : closed.includes(purpose);
  return isSo ? { partner: connection.partner, purpose } : undefined;
}
