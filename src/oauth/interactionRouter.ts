import type { Request, Response } from 'express';
import express from 'express';
import type { InteractionResults, Provider } from 'oidc-provider';
import { passkeyForm } from '../html/passkeyForm.js';
import { waitMinutes } from '../html/waitMinutes.js';
import { formText } from '../http/formValues.js';
import { localeOfRequest } from '../http/localeOfRequest.js';
import { authorizePage } from '../html/authorizePage.js';
import { formToken, isOwnForm } from '../html/formGuard.js';
import { html } from '../html/html.js';
import { messagePage } from '../html/messagePage.js';
import { pageForm } from '../html/pageForm.js';
import { pageHeaders } from '../html/pageHeaders.js';
import { sendFormRefused } from '../html/sendFormRefused.js';
import { sendOn, sendPage } from '../html/sendPage.js';
import { signInPage } from '../html/signInPage.js';
import type { Locale } from '../texts/textsFor.js';
import { textsFor } from '../texts/textsFor.js';
import type { AccountSession } from '../accounts/AccountSession.js';
import { endAccountSession, startAccountSession } from './accountSession.js';
import type { AuthorizationRequest } from './AuthorizationRequest.js';
import {
  beginningOf,
  findAuthorizationRequest,
  grantableScopes,
  requestedScopes,
} from './AuthorizationRequest.js';
import { firstPartyPageOf } from './firstPartyPages.js';
import { deviceMark } from './knownDevice.js';
import { isIdentityScope } from './identityScopes.js';
import type { AccountServices } from '../accounts/AccountServices.js';
import type { SignInResult } from './signIn.js';
import { signIn } from './signIn.js';
import { SIGN_IN_FORM, upstreamAction, upstreamTargets } from './upstreamRouter.js';

interface Visit {
  services: AccountServices;
  provider: Provider;
  request: Request;
  response: Response;
  locale: Locale;
  authorization: AuthorizationRequest;
}

/** A request of a signed-in person. */
interface MemberVisit extends Visit {
  session: AccountSession;
}

/** The pages of one authorization request: sign in, then allow or deny. */
export function interactionRouter(services: AccountServices, provider: Provider): express.Router {
  const router = express.Router();
  const form = pageForm('16kb');
  const at = (handle: (visit: Visit) => Promise<void>) => async (request: Request, response: Response) => {
    const locale = localeOfRequest(request);
    const authorization = await findAuthorizationRequest(services, provider, request, response);
    if (authorization === undefined) return sendEnded(response, locale);
    return handle({ services, provider, request, response, locale, authorization });
  };
  router.get('/oauth/interaction/:uid', at(show));
  router.post('/oauth/interaction/:uid/sign-in', form, at(submitCredentials));
  router.post('/oauth/interaction/:uid/decide', form, at(decide));
  router.post('/oauth/interaction/:uid/sign-out', form, at(signOut));
  return router;
}

async function show(visit: Visit): Promise<void> {
  const { session, interaction } = visit.authorization;
  if (session === undefined || !isFreshEnough(visit, session)) return sendSignIn(visit, 200);
  if (isAnotherPerson(visit, session.accountId))
    return sendOn(visit.response, beginningOf(visit.authorization));
  const scopes = await grantableScopes(visit.services, visit.authorization, session.accountId);
  if (scopes === undefined || scopes.length === 0) return sendNotMember({ ...visit, session });
  if (interaction.prompt.name === 'login') return finishSignIn(visit, session);
  return sendPage(visit.response, 200, approvalPage({ ...visit, session }, scopes), policyOf(visit));
}

/**
 * A request may insist on a new sign-in (`prompt=login`, `max_age`): then only one made since it began will
 * do.
 */
function isFreshEnough({ authorization: { interaction } }: Visit, session: AccountSession): boolean {
  const { name, reasons } = interaction.prompt;
  if (name !== 'login' || reasons.every((reason) => reason === 'no_session')) return true;
  // `iat` is in whole seconds: a session of the same second may be older than the request.
  return Date.parse(session.startedAt) >= ((interaction.iat ?? 0) + 1) * 1000;
}

function isAnotherPerson({ authorization: { interaction } }: Visit, accountId: string): boolean {
  return interaction.session !== undefined && interaction.session.accountId !== accountId;
}

async function submitCredentials(visit: Visit): Promise<void> {
  const { services, request, response, authorization } = visit;
  if (!isOwnForm(services, request, SIGN_IN_FORM)) return sendStaleForm(visit);
  const [email, password] = [formText(request, 'email'), formText(request, 'password')];
  const result = await signIn(services, {
    email,
    password,
    address: request.ip ?? '',
    device: deviceMark(services, request),
  });
  if (result.kind !== 'signed_in') return sendSignIn(visit, result.kind === 'throttled' ? 429 : 401, result);
  const session = await startAccountSession(services, request, response, result.accountId);
  if (isAnotherPerson(visit, session.accountId)) return sendOn(response, beginningOf(authorization));
  if (authorization.interaction.prompt.name !== 'login') return sendOn(response, pathOf(visit));
  return finishSignIn(visit, session);
}

async function decide(visit: Visit): Promise<void> {
  const { session, interaction } = visit.authorization;
  if (session === undefined || isAnotherPerson(visit, session.accountId))
    return sendOn(visit.response, pathOf(visit));
  if (!isOwnForm(visit.services, visit.request, session.id)) return sendStaleForm(visit);
  if (formText(visit.request, 'decision') !== 'allow')
    return finish(visit, {
      error: 'access_denied',
      error_description: 'the account holder did not allow it',
    });
  const scopes = await grantableScopes(visit.services, visit.authorization, session.accountId);
  if (scopes === undefined || scopes.length === 0) return sendNotMember({ ...visit, session });
  if (interaction.prompt.name !== 'consent') return sendOn(visit.response, pathOf(visit));
  return finish(visit, { consent: { grantId: await approve(visit, session.accountId, scopes) } });
}

/** What could not be granted is noted as refused, so that the person is not asked about it again. */
async function approve(
  { provider, authorization }: Visit,
  accountId: string,
  scopes: readonly string[],
): Promise<string> {
  const grant = new provider.Grant({ accountId, clientId: authorization.client.clientId });
  const [granted, refused] = [new Set<string>(), new Set<string>()];
  for (const scope of requestedScopes(authorization)) {
    (isIdentityScope(scope) || scopes.includes(scope) ? granted : refused).add(scope);
  }
  grant.addOIDCScope([...granted].join(' '));
  if (refused.size > 0) grant.rejectOIDCScope([...refused].join(' '));
  return grant.save();
}

async function signOut(visit: Visit): Promise<void> {
  const { services, request, response, authorization } = visit;
  if (!isOwnForm(services, request, authorization.session?.id ?? '')) return sendStaleForm(visit);
  await endAccountSession(services, request, response);
  return sendOn(response, beginningOf(authorization));
}

/** Whether the account is a member shows on the way back, where the policy asks for it. */
function finishSignIn(
  visit: Visit,
  { accountId, startedAt }: Pick<AccountSession, 'accountId' | 'startedAt'>,
): Promise<void> {
  return finish(visit, { login: { accountId, ts: Math.floor(Date.parse(startedAt) / 1000) } });
}

function finish({ provider, request, response }: Visit, result: InteractionResults): Promise<void> {
  response.set(pageHeaders());
  return provider.interactionFinished(request, response, result, { mergeWithLastSubmission: true });
}

function pathOf({ authorization: { interaction } }: Visit): string {
  return `/oauth/interaction/${interaction.uid}`;
}

/** Browsers hold the redirect at the end to the policy of the page whose form began it. */
function policyOf({ authorization, services }: Visit): { formTargets: string[] } {
  return { formTargets: [authorization.redirectUri, ...upstreamTargets(services.config)] };
}

function sendSignIn(visit: Visit, status: number, result?: SignInResult): void {
  const { services, request, response, locale, authorization } = visit;
  const { upstream } = services.config;
  const error = result && refusalText(locale, result);
  const email = formText(request, 'email');
  const page = signInPage({
    locale,
    action: `${pathOf(visit)}/sign-in`,
    guard: formToken(services, request, response, SIGN_IN_FORM),
    lead: textsFor(locale).authorize.signInLead(authorization.appName),
    forgotHref: '/forgot-password',
    passkey: passkeyForm(locale, formToken(services, request, response, SIGN_IN_FORM), pathOf(visit)),
    ...(error === undefined ? {} : { error }),
    ...(email === '' ? {} : { email }),
    ...(upstream === undefined
      ? {}
      : { upstream: { label: upstream.label, action: upstreamAction(pathOf(visit)) } }),
  });
  if (result?.kind === 'throttled') response.set('Retry-After', String(result.retryAfterSeconds));
  sendPage(response, status, page, { ...policyOf(visit), connects: true });
}

function refusalText(locale: Locale, result: SignInResult): string {
  const { signIn } = textsFor(locale);
  return result.kind === 'throttled' ? signIn.tooMany(waitMinutes(result.retryAfterSeconds)) : signIn.failed;
}

function approvalPage(
  visit: MemberVisit,
  scopes: Parameters<typeof authorizePage>[0]['scopes'],
): ReturnType<typeof authorizePage> {
  const { locale, authorization, session } = visit;
  const ownPage = firstPartyPageOf(visit.services.config.baseUrl, authorization.redirectUri);
  return authorizePage({
    locale,
    appName: authorization.appName,
    ...(ownPage === undefined ? {} : { clientName: ownPage.title }),
    scopes,
    email: requestedScopes(authorization).includes('email'),
    redirectUri: authorization.redirectUri,
    action: `${pathOf(visit)}/decide`,
    guard: sessionGuard(visit),
    account: { email: session.email, signOut: signOutForm(visit, textsFor(locale).common.signOut) },
  });
}

function sessionGuard({ services, request, response, session }: MemberVisit): ReturnType<typeof formToken> {
  return formToken(services, request, response, session.id);
}

function signOutForm(visit: MemberVisit, label: string): ReturnType<typeof html> {
  return html`<form method="post" action="${pathOf(visit)}/sign-out">${sessionGuard(visit)}<button class="quiet">${label}</button></form>`;
}

function sendNotMember(visit: MemberVisit): void {
  const { authorize, common, errors } = textsFor(visit.locale);
  const back = html`<form method="post" action="${pathOf(visit)}/decide">${sessionGuard(visit)}<button class="quiet" name="decision" value="deny">${errors.back}</button></form>`;
  const ways = html`<div class="actions">${signOutForm(visit, authorize.otherAccount)}${back}</div>`;
  const who = html`<p>${authorize.notMember}</p><p class="hint">${common.signedInAs(visit.session.email)}</p>`;
  const page = messagePage(visit.locale, authorize.notMemberTitle, who, ways);
  sendPage(visit.response, 403, page, policyOf(visit));
}

function sendStaleForm(visit: Visit): void {
  sendFormRefused(visit.response, visit.locale, pathOf(visit));
}

function sendEnded(response: Response, locale: Locale): void {
  const { authorize } = textsFor(locale);
  sendPage(response, 400, messagePage(locale, authorize.endedTitle, html`<p>${authorize.ended}</p>`));
}
