import express from 'express';
import type { AccountServices } from '../../accounts/AccountServices.js';
import { contextAt } from '../../commands/CommandContext.js';
import { withdrawConnection } from '../../commands/withdrawConnection.js';
import { nameInText } from '../../domain/displayName.js';
import type { Purpose } from '../../domain/purposes.js';
import { isPurpose } from '../../domain/purposes.js';
import { ownForm } from '../../html/ownForm.js';
import { PageVisit } from '../../html/PageVisit.js';
import type { AccountConnection } from '../../loaders/listAccountConnections.js';
import { hasAccountLink, listAccountConnections } from '../../loaders/listAccountConnections.js';
import type { SignedInStep as Step, SignedInVisit } from '../account/signedIn.js';
import { signedIn } from '../account/signedIn.js';
import type { ConnectionsView } from './connectionsPage.js';
import { connectionsPage } from './connectionsPage.js';

const PATH = '/connections';
const back = (): string => PATH;

/** The pages of "My connections": a signed-in person's approvals and their withdrawal. */
export function connectionsRouter(services: AccountServices): express.Router {
  const router = express.Router();
  router.get(PATH, signedIn(services, show, back));
  router.get(`${PATH}/withdraw`, PageVisit.leading(services, back));
  router.post(`${PATH}/withdraw`, signedIn(services, ownForm(bindingOf, back, withdraw), back));
  return router;
}

const show: Step = async (visit) => {
  const { services, account, locale, zone, notMade } = visit;
  const stored = await listAccountConnections(services, account.accountId);
  const connections = stored.map((each) => ({ ...each, partner: nameInText(each.partner, each.appId) }));
  const withdrawn = justWithdrawn(visit, connections);
  const view: ConnectionsView = {
    locale,
    zone,
    connections,
    account: visit.bar(PATH),
    guard: visit.guard(bindingOf(visit)),
    notMade,
    ...(withdrawn === undefined ? {} : { withdrawn }),
  };
  visit.show(200, connectionsPage(view));
};

function bindingOf({ account }: SignedInVisit): string {
  return `connections:${account.id}`;
}

const withdraw: Step = async (visit) => {
  const { services, account } = visit;
  const [appId, customerId] = [visit.field('app_id'), visit.field('customer_id')];
  const chosen = chosenPurpose(visit.field('purpose'));
  const linked = await hasAccountLink(services.database, account.accountId, appId, customerId);
  if (!linked || chosen === undefined) return visit.goTo(PATH);
  const input = {
    customerId,
    accountId: account.accountId,
    ...(chosen === 'all' ? {} : { purposes: [chosen] }),
  };
  const { clock, secrets } = services;
  const context = { ...contextAt(appId, clock), secrets };
  await services.database.transaction(appId, (tx) => withdrawConnection(tx, context, input));
  const told = new URLSearchParams({ withdrawn: chosen, from: appId, customer: customerId });
  visit.goTo(`${PATH}?${told.toString()}`);
};

function chosenPurpose(text: string): Purpose | 'all' | undefined {
  return text === 'all' || isPurpose(text) ? text : undefined;
}

/** The withdrawal named in the URL if it is true, so that a link cannot make the page show a false one. */
function justWithdrawn(
  visit: SignedInVisit,
  connections: readonly AccountConnection[],
): ConnectionsView['withdrawn'] {
  const purpose = chosenPurpose(visit.parameter('withdrawn') ?? '');
  const [from, customer] = [visit.parameter('from'), visit.parameter('customer')];
  const connection = connections.find(({ appId, customerId }) => appId === from && customerId === customer);
  if (purpose === undefined || connection === undefined) return undefined;
  const closed = connection.purposes.filter((item) => item.state === 'withdrawn').map((item) => item.purpose);
  const isSo = purpose === 'all' ? closed.length === connection.purposes.length : closed.includes(purpose);
  return isSo ? { connection, purpose } : undefined;
}
