import type { AccountSession } from '../../accounts/AccountSession.js';
import { lockSession } from '../../accounts/changeAccount.js';
import { proveAddress } from '../../accounts/proveAddress.js';
import { decideConnection } from '../../commands/decideConnection.js';
import type { StoredSession } from '../../domain/connectionSession.js';
import type { Purpose } from '../../domain/purposes.js';
import { isPurpose } from '../../domain/purposes.js';
import type { PageStep } from '../../html/PageVisit.js';
import { readAccountSession } from '../../oauth/accountSession.js';
import { SignedInVisit } from '../account/signedIn.js';
import { codeProblem, verifyBinding } from '../account/verifyRouter.js';
import { mailboxHint } from '../mailbox/mailboxHint.js';
import type { ConnectVisit } from './ConnectVisit.js';
import type { DecideView } from './decidePage.js';
import { decidePage } from './decidePage.js';
import { sendEnded } from './refusals.js';
import { returnAddress } from './returnAddress.js';

/** The session's page in the bound browser: sign-in, then the decision, and afterwards the outcome. */
export const showDecision: PageStep<ConnectVisit> = async (visit) => {
  if (visit.session.status !== 'created') return sendEnded(visit);
  const account = await readAccountSession(visit.services, visit.request);
  if (account === undefined) return visit.signInFirst(visit.path);
  sendDecision(visit, account, {});
};

/** Records the decision and redirects to the partner, or to the page with the session's state. */
export const decide: PageStep<ConnectVisit> = async (visit) => {
  const { services, path } = visit;
  const account = await readAccountSession(services, visit.request);
  if (account === undefined) return visit.signInFirst(path);
  if (!visit.isOwnForm(bindingOf(visit, account))) return visit.refuseForm(path);
  const decision = visit.fields('decision').join();
  if (decision !== 'approve' && decision !== 'decline') return askAgain(visit, account);
  const purposes = decision === 'approve' ? tickedPurposes(visit) : [];
  if (decision === 'approve' && purposes.length === 0 && visit.session.status === 'created')
    return sendDecision(visit, account, { nothingTicked: true, status: 422 });
  if (purposes.length > 0 && !account.emailVerified) {
    const problem = await addressProblem(visit, account);
    if (problem !== undefined) return sendDecision(visit, account, { ...problem, ticked: purposes });
  }
  const input = { sessionId: visit.session.session_id, accountId: account.accountId, purposes };
  const context = { appId: visit.link.appId, clock: services.clock, secrets: services.secrets };
  const session = await services.database.transaction(context.appId, async (tx) => {
    const decided = await decideConnection(tx, context, input);
    // Only now: the head of the customer is locked before the account.
    await lockSession(tx, account, 'FOR SHARE');
    return decided;
  });
  visit.goTo(session === undefined ? path : afterDecision(session, visit));
};

/** For a form that says neither, or both: the page with what was ticked. Nothing is recorded. */
function askAgain(visit: ConnectVisit, account: AccountSession): void {
  if (visit.session.status !== 'created') return visit.goTo(visit.path);
  sendDecision(visit, account, { ticked: tickedPurposes(visit), status: 422 });
}

/** The host to which the person returns, with its port unless it is the default. */
function returnHostOf({ session }: ConnectVisit): Pick<DecideView, 'returnHost'> {
  const url = session.redirect_uri === null ? undefined : new URL(session.redirect_uri);
  return url?.protocol.startsWith('http') === true ? { returnHost: url.host } : {};
}

/** The reason why a decision was not recorded, for the page. */
interface Trouble {
  nothingTicked?: boolean;
  ticked?: readonly Purpose[];
  codeError?: string;
  status?: number;
}

/** Verifies the person's address with the code sent with the approval; undefined when it succeeds. */
async function addressProblem(visit: ConnectVisit, account: AccountSession): Promise<Trouble | undefined> {
  const code = visit.field('code').replaceAll(/\s/g, '');
  if (code === '') return { codeError: visit.texts.recovery.codeMissing, status: 403 };
  const result = await proveAddress(visit.services, account, { code });
  if (result.kind === 'proved') return undefined;
  return { codeError: codeProblem(visit, result), status: result.kind === 'refused' ? 403 : 429 };
}

function proofOf(
  visit: ConnectVisit,
  signedIn: SignedInVisit,
  { codeError }: Trouble,
): NonNullable<DecideView['proof']> {
  return {
    email: signedIn.account.email,
    guard: signedIn.guard(verifyBinding(signedIn)),
    mailbox: mailboxHint(visit.services.config, visit.locale),
    returnTo: visit.path,
    ...(codeError === undefined ? {} : { error: codeError }),
  };
}

function sendDecision(visit: ConnectVisit, account: AccountSession, trouble: Trouble): void {
  const signedIn = new SignedInVisit(visit, account);
  const page = decidePage({
    locale: visit.locale,
    partner: visit.partner,
    ...returnHostOf(visit),
    zone: signedIn.zone,
    session: visit.session,
    offered: visit.offered,
    path: visit.path,
    now: visit.services.clock(),
    guard: visit.guard(bindingOf(visit, account)),
    account: signedIn.bar(visit.path),
    ...(account.emailVerified ? {} : { proof: proofOf(visit, signedIn, trouble) }),
    nothingTicked: trouble.nothingTicked === true,
    ticked: trouble.ticked ?? [],
  });
  visit.show(trouble.status ?? 200, page);
}

function bindingOf(visit: ConnectVisit, account: AccountSession): string {
  return `connect:${visit.session.session_id}:${account.id}`;
}

function tickedPurposes(visit: ConnectVisit): Purpose[] {
  const ticked = visit.fields('purposes').filter(isPurpose);
  return ticked.filter((purpose) => visit.offered.includes(purpose));
}

/**
 * The partner's URL after the person's own decision, if the app still has it; else this page, which explains
 * how the session ended.
 */
function afterDecision(session: StoredSession, { path, link }: ConnectVisit): string {
  const own =
    session.status === 'authorized' || (session.status === 'revoked' && session.revoked_by === 'person');
  if (!own || session.redirect_uri === null || !link.redirectUris.includes(session.redirect_uri)) return path;
  return returnAddress(session.redirect_uri, session.session_id, session.status);
}
