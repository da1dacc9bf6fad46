import express from 'express';
import { decodeJwt } from 'jose';
import type { Interaction, InteractionResults, Provider } from 'oidc-provider';
import { authorizePage } from '../html/authorizePage.js';
import { html } from '../html/html.js';
import { pageForm } from '../html/pageForm.js';
import { pageHeaders } from '../html/pageHeaders.js';
import type { PagePolicy } from '../html/pageHeaders.js';
import type { PageStep } from '../html/PageVisit.js';
import { PageVisit } from '../html/PageVisit.js';
import { sendOn } from '../html/sendPage.js';
import { signInPage } from '../html/signInPage.js';
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
import { SIGN_IN_FORM, upstreamAction } from './upstreamRouter.js';

/** A visit to the pages of one authorization request. */
class Visit extends PageVisit {
  override readonly policy: PagePolicy = { leadsAway: true };

  constructor(
    visit: PageVisit,
    readonly provider: Provider,
    readonly authorization: AuthorizationRequest,
  ) {
    super(visit.services, visit.request, visit.response);
  }

  get path(): string {
    return `/oauth/interaction/${this.authorization.interaction.uid}`;
  }
}

/** The pages of one authorization request: sign in, then allow or deny. */
export function interactionRouter(services: AccountServices, provider: Provider): express.Router {
  const router = express.Router();
  const form = pageForm('16kb');
  const at = (step: PageStep<Visit>): express.RequestHandler =>
    PageVisit.at(services, async (visit) => {
      const { request, response } = visit;
      const authorization = await findAuthorizationRequest(services, provider, request, response);
      return authorization === undefined ? sendEnded(visit) : step(new Visit(visit, provider, authorization));
    });
  router.get('/oauth/interaction/:uid', at(show));
  // Pages that answer refused forms have these addresses, which a browser may load again.
  router.get(
    ['sign-in', 'decide', 'sign-out'].map((step) => `/oauth/interaction/:uid/${step}`),
    at((visit) => leave(visit, visit.path)),
  );
  router.post('/oauth/interaction/:uid/sign-in', form, at(submitCredentials));
  router.post('/oauth/interaction/:uid/decide', form, at(decide));
  router.post('/oauth/interaction/:uid/sign-out', form, at(signOut));
  return router;
}

async function show(visit: Visit): Promise<void> {
  const { session, interaction } = visit.authorization;
  if (session === undefined || !isFreshEnough(visit, session)) return sendSignIn(visit, 200);
  if (await beganElsewhere(visit, session.accountId)) return leave(visit, beginningOf(visit.authorization));
  const scopes = await grantableScopes(visit.services, visit.authorization, session.accountId);
  if (scopes === undefined) return sendNotMember(visit, session);
  if (interaction.prompt.name === 'login') return finishSignIn(visit, session);
  visit.show(200, approvalPage(visit, session, scopes));
}

/**
 * A request may require a new sign-in. With `prompt=login` the session must have started after the request.
 * With `max_age` it must have started after it, or within that many seconds.
 */
function isFreshEnough(
  { services, authorization: { interaction } }: Visit,
  session: AccountSession,
): boolean {
  const { name, reasons } = interaction.prompt;
  const startedAt = Date.parse(session.startedAt);
  const isMet = (reason: string): boolean => {
    if (reason === 'no_session') return true;
    if (reason === 'id_token_hint') return subjectHinted(interaction.params) === session.accountId;
    // `iat` is in whole seconds, so a session of the same second may be older than the request.
    if (startedAt >= ((interaction.iat ?? 0) + 1) * 1000 + aheadOfProviderMs(services)) return true;
    const ageMs = services.clock().getTime() - startedAt;
    return reason === 'max_age' && ageMs <= Number(interaction.params['max_age']) * 1000;
  };
  return name !== 'login' || reasons.every(isMet);
}

/** Whether the request requires a new sign-in, or the one of this browser was not enough. */
function needsSignInAgain({ session, interaction }: AuthorizationRequest): boolean {
  const { reasons } = interaction.prompt;
  return session !== undefined || reasons.includes('login_prompt') || reasons.includes('max_age');
}

/** The person of the ID token in the request, which the provider has verified. */
function subjectHinted({ id_token_hint: hint }: Interaction['params']): string | undefined {
  return typeof hint === 'string' ? decodeJwt(hint).sub : undefined;
}

/** Whether the request began in a session of another person, or in one that has ended. */
async function beganElsewhere(
  { provider, authorization: { interaction } }: Visit,
  accountId: string,
): Promise<boolean> {
  const began = interaction.session;
  if (began === undefined) return false;
  return began.accountId !== accountId || (await provider.Session.findByUid(began.uid)) === undefined;
}

async function submitCredentials(visit: Visit): Promise<void> {
  const { services, request, response, authorization } = visit;
  if (!visit.isOwnForm(SIGN_IN_FORM)) return refuseForm(visit);
  const [email, password] = [visit.field('email'), visit.field('password')];
  const device = deviceMark(services, request);
  const result = await signIn(services, { email, password, address: visit.address, device });
  if (result.kind !== 'signed_in') return sendSignIn(visit, result.kind === 'throttled' ? 429 : 401, result);
  const session = await startAccountSession(services, request, response, result.accountId, result);
  if (session === undefined) return sendSignIn(visit, 401, { kind: 'refused' });
  if (await beganElsewhere(visit, session.accountId)) return leave(visit, beginningOf(authorization));
  return finishSignIn(visit, session);
}

async function decide(visit: Visit): Promise<void> {
  const { session, interaction } = visit.authorization;
  if (session === undefined || (await beganElsewhere(visit, session.accountId)))
    return leave(visit, visit.path);
  if (!visit.isOwnForm(session.id)) return refuseForm(visit);
  if (visit.field('decision') !== 'allow')
    return finish(visit, {
      error: 'access_denied',
      error_description: 'the account holder did not allow it',
    });
  const scopes = await grantableScopes(visit.services, visit.authorization, session.accountId);
  if (scopes === undefined) return sendNotMember(visit, session);
  if (interaction.prompt.name !== 'consent') return leave(visit, visit.path);
  // The app or the member may have other scopes by now. Nothing is granted that was not shown.
  if (visit.field('scopes') !== scopes.join(' '))
    return visit.show(409, approvalPage(visit, session, scopes));
  return finish(visit, { consent: { grantId: await approve(visit, session.accountId, scopes) } });
}

/** Records scopes that could not be granted as rejected, so that the person is not asked for them again. */
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
  grant.rejectOIDCScope([...refused].join(' '));
  return grant.save();
}

async function signOut(visit: Visit): Promise<void> {
  const { services, request, response, authorization } = visit;
  if (!visit.isOwnForm(authorization.session?.id ?? '')) return refuseForm(visit);
  await endAccountSession(services, request, response);
  leave(visit, beginningOf(authorization));
}

/** The interaction policy then checks whether the account is a member. */
function finishSignIn(
  visit: Visit,
  { accountId, startedAt }: Pick<AccountSession, 'accountId' | 'startedAt'>,
): Promise<void> {
  const ts = Math.floor((Date.parse(startedAt) - aheadOfProviderMs(visit.services)) / 1000);
  return finish(visit, { login: { accountId, ts } });
}

/** oidc-provider goes by the clock of this machine, which may be wrong; sessions by the database's. */
function aheadOfProviderMs({ clock }: Pick<Visit['services'], 'clock'>): number {
  return clock().getTime() - Date.now();
}

function finish({ provider, request, response }: Visit, result: InteractionResults): Promise<void> {
  response.set(pageHeaders());
  return provider.interactionFinished(request, response, result);
}

/** Redirects have the policy of ordinary pages because they contain no form. */
function leave({ response }: Visit, location: string): void {
  sendOn(response, location);
}

function refuseForm({ services, request, response, path }: Visit): void {
  new PageVisit(services, request, response).refuseForm(path);
}

function sendSignIn(visit: Visit, status: number, result?: SignInResult): void {
  const { locale, authorization, path, services } = visit;
  const { upstream } = services.config;
  const action = upstreamAction(path, needsSignInAgain(authorization));
  const page = signInPage({
    locale,
    action: `${path}/sign-in`,
    guard: visit.guard(SIGN_IN_FORM),
    returnTo: path,
    lead: visit.texts.authorize.signInLead(authorization.appName),
    forgotHref: '/forgot-password',
    email: visit.field('email'),
    error: result && refusalText(visit, result),
    upstream: upstream && { label: upstream.label, action },
  });
  visit.show(status, page, { ...visit.policy, connects: true });
}

function refusalText(visit: Visit, result: SignInResult): string {
  const { signIn } = visit.texts;
  return result.kind === 'throttled'
    ? signIn.tooMany(visit.comeAgainIn(result.retryAfterSeconds))
    : signIn.failed;
}

function approvalPage(
  visit: Visit,
  session: AccountSession,
  scopes: Parameters<typeof authorizePage>[0]['scopes'],
): ReturnType<typeof authorizePage> {
  const { locale, authorization, texts } = visit;
  const ownPage = firstPartyPageOf(visit.services.config.baseUrl, authorization.redirectUri);
  return authorizePage({
    locale,
    appName: authorization.appName,
    ...(ownPage === undefined ? {} : { clientName: ownPage.title }),
    scopes,
    email: requestedScopes(authorization).includes('email'),
    redirectUri: authorization.redirectUri,
    action: `${visit.path}/decide`,
    guard: visit.guard(session.id),
    account: { email: session.email, signOut: signOutForm(visit, session, texts.common.signOut) },
  });
}

function signOutForm(visit: Visit, session: AccountSession, label: string): ReturnType<typeof html> {
  const guard = visit.guard(session.id);
  return html`<form method="post" action="${visit.path}/sign-out">${guard}<button class="quiet">${label}</button></form>`;
}

function sendNotMember(visit: Visit, session: AccountSession): void {
  const { authorize, common, errors } = visit.texts;
  const back = html`<form method="post" action="${visit.path}/decide">${visit.guard(session.id)}<button class="quiet" name="decision" value="deny">${errors.back}</button></form>`;
  const otherAccount = signOutForm(visit, session, authorize.otherAccount);
  const ways = html`<div class="actions">${otherAccount}${back}</div>`;
  const who = html`<p>${authorize.notMember}</p><p class="hint">${common.signedInAs(session.email)}</p>`;
  visit.say(403, authorize.notMemberTitle, who, ways);
}

function sendEnded(visit: PageVisit): void {
  const { authorize } = visit.texts;
  visit.say(400, authorize.endedTitle, html`<p>${authorize.ended}</p>`);
}
