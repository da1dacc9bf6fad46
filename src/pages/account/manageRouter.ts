import express from 'express';
import { accountErasures } from '../../../entities/AccountErasureEntity.js';
import {
  changeAddress,
  changePassword,
  endSessions,
  setPreferences,
} from '../../accounts/accountSettings.js';
import type { AccountServices } from '../../accounts/AccountServices.js';
import { deleteAccount } from '../../accounts/deleteAccount.js';
import { eraseAccount } from '../../accounts/eraseAccount.js';
import { addPasskey, passkeyCreationOptions, removePasskey } from '../../accounts/passkeys.js';
import { readAccount } from '../../accounts/readAccount.js';
import { html } from '../../html/html.js';
import { messagePage } from '../../html/messagePage.js';
import { ownForm } from '../../html/ownForm.js';
import { PageVisit } from '../../html/PageVisit.js';
import { keepLanguage } from '../../http/localeOfRequest.js';
import { listAccountConnections } from '../../loaders/listAccountConnections.js';
import { endAccountSession } from '../../oauth/accountSession.js';
import { LOCALES } from '../../texts/locale.js';
import type { AccountPageView } from './accountPage.js';
import { accountPage } from './accountPage.js';
import { describeBrowser } from './describeBrowser.js';
import { exportAccount } from './exportAccount.js';
import type { SignedInStep as Step, SignedInVisit } from './signedIn.js';
import { signedIn } from './signedIn.js';
import { DELETION, SIGNED_IN_AGAIN } from './signInAgain.js';
import { passwordProblemText } from './signUpProblems.js';
import { timeZoneNamed } from '../../http/timeZoneNamed.js';

const PATH = '/account';
const back = (): string => PATH;

/** Addresses of forms whose answers can be pages. */
const FORMS = ['address', 'password', 'sessions', 'preferences', 'passkeys', 'passkeys/remove'].map(
  (form) => `${PATH}/${form}`,
);

/**
 * Time after a sign-in in which a person may change how to sign in, in milliseconds. Later they must sign in
 * again.
 */
const FRESH_MS = 15 * 60 * 1000;

/** The pages of "My account". */
export function manageRouter(services: AccountServices): express.Router {
  const router = express.Router();
  const form = (step: Step): express.RequestHandler =>
    signedIn(services, ownForm(bindingOf, back, step), back);
  router.get(PATH, signedIn(services, show, back));
  router.get(FORMS, PageVisit.leading(services, back));
  router.post(`${PATH}/address`, form(fresh(address)));
  router.post(`${PATH}/password`, form(fresh(password)));
  router.post(`${PATH}/sessions`, form(sessions));
  router.post(`${PATH}/preferences`, form(preferences));
  router.post(`${PATH}/passkeys/options`, form(fresh(passkeyOptions)));
  router.post(`${PATH}/passkeys/remove`, form(fresh(passkeyRemove)));
  router.post(`${PATH}/passkeys`, form(fresh(passkeyAdd)));
  router.get(`${PATH}/export`, signedIn(services, download, back));
  router.get(DELETION, signedIn(services, fresh(askToDelete), back));
  router.post(DELETION, form(fresh(remove)));
  router.get('/erasures/:id', PageVisit.at(services, showErasure));
  return router;
}

/** Requires a recent sign-in for sensitive changes, to protect a browser that was left signed in. */
function fresh(step: Step): Step {
  return (visit) => {
    const age = visit.services.clock().getTime() - Date.parse(visit.account.startedAt);
    if (age <= FRESH_MS) return step(visit);
    return signInAgain(visit);
  };
}

const signInAgain: Step = (visit) => {
  visit.signInFirst(visit.request.method === 'GET' ? visit.request.path : SIGNED_IN_AGAIN);
};

function bindingOf({ account }: SignedInVisit): string {
  return `account:${account.id}`;
}

const DONE = ['addressSent', 'passwordChanged', 'passkeyAdded', 'saved'] as const;

const show: Step = async (visit) => {
  const done = DONE.find((name) => name === visit.parameter('done'));
  const { notMade, texts } = visit;
  const info = notMade === undefined ? {} : { info: notMade };
  await sendAccount(visit, 200, done === undefined ? info : { done: texts.account[done] });
};

async function sendAccount(
  visit: SignedInVisit,
  status: number,
  more: Pick<AccountPageView, 'done' | 'info' | 'problem'>,
): Promise<void> {
  const { services, locale, account, zone } = visit;
  const about = await readAccount(services.database, account.accountId, services.clock());
  if (about === undefined) return visit.goTo('/sign-in');
  const page = accountPage({
    locale,
    about,
    zone,
    timeZone: account.timeZone,
    sessionId: account.id,
    account: visit.bar(PATH),
    guard: visit.guard(bindingOf(visit)),
    ...more,
  });
  visit.show(status, page, { connects: true });
}

const address: Step = async (visit) => {
  const { account: texts, signIn } = visit.texts;
  const result = await changeAddress(visit.services, visit.account, visit.field('email').trim());
  if (result.kind === 'mailed') return visit.goTo(`${PATH}?done=addressSent`);
  const [status, text] =
    result.kind === 'invalid'
      ? [422, texts.addressInvalid]
      : [429, signIn.tooMany(visit.comeAgainIn(result.retryAfterSeconds))];
  await sendAccount(visit, status, { problem: { field: 'email', text } });
};

const password: Step = async (visit) => {
  const problem = await changePassword(visit.services, visit.account, visit.field('password'));
  if (problem === undefined) return visit.goTo(`${PATH}?done=passwordChanged`);
  const text = passwordProblemText(visit.locale, problem);
  await sendAccount(visit, 422, { problem: { field: 'password', text } });
};

const sessions: Step = async (visit) => {
  await endSessions(visit.services, visit.account, visit.field('session'));
  visit.goTo(PATH);
};

const preferences: Step = async (visit) => {
  const { services, account, response } = visit;
  const locale = LOCALES.find((name) => name === visit.field('locale')) ?? account.locale;
  const timeZone = timeZoneNamed(visit.field('time_zone'));
  const approvalNotices = visit.field('approval_notices') === 'on';
  await setPreferences(services, account.accountId, { locale, timeZone, approvalNotices });
  keepLanguage(services.config.baseUrl, response, locale);
  visit.goTo(`${PATH}?done=saved`);
};

const passkeyOptions: Step = async (visit) => {
  visit.sendJson(200, await passkeyCreationOptions(visit.services, visit.account));
};

const passkeyAdd: Step = async (visit) => {
  const { account: texts } = visit.texts;
  const label = describeBrowser(texts, visit.request.get('user-agent') ?? null);
  const added = await addPasskey(visit.services, visit.account, visit.field('credential'), label);
  if (added) return visit.goTo(`${PATH}?done=passkeyAdded`);
  await sendAccount(visit, 422, { problem: { field: 'passkey', text: texts.passkeyFailed } });
};

const passkeyRemove: Step = async (visit) => {
  await removePasskey(visit.services, visit.account, visit.field('id'));
  visit.goTo(PATH);
};

const download: Step = async (visit) => {
  visit.response.set('Content-Disposition', 'attachment; filename="my-consents.json"');
  visit.sendJson(200, (await exportAccount(visit.services, visit.account)) ?? {});
};

const askToDelete: Step = async (visit) => {
  const { account: texts } = visit.texts;
  const connections = await listAccountConnections(visit.services, visit.account.accountId);
  const open = connections.filter(({ purposes }) => purposes.some(({ state }) => state !== 'withdrawn'));
  const guard = visit.guard(bindingOf(visit));
  const page = messagePage(
    visit.locale,
    texts.deleteTitle,
    html`<p>${texts.deleteWarning(new Set(open.map(({ appId }) => appId)).size)}</p>`,
    html`<form method="post" action="${DELETION}">${guard}<div class="actions"><button class="danger">${texts.deleteConfirm}</button><a class="button quiet" href="${PATH}">${texts.keep}</a></div></form>`,
  );
  visit.show(200, { ...page, account: visit.bar(PATH) });
};

/**
 * Deletes the account. All approvals are withdrawn before the response; if the process is killed meanwhile, a
 * worker finishes it.
 */
const remove: Step = async (visit) => {
  const { services, account, request, response } = visit;
  const erasure = await deleteAccount(services, account);
  if (erasure === undefined) return visit.goTo('/sign-in');
  await eraseAccount(services, erasure);
  await endAccountSession(services, request, response);
  visit.goTo(`/erasures/${erasure}`);
};

async function showErasure(visit: PageVisit): Promise<void> {
  const { account: texts, errors } = visit.texts;
  const key = { erasure_id: String(visit.request.params['id']) };
  const erasure = await accountErasures.find(visit.services.database, ['status'], key);
  if (erasure === undefined) return visit.say(404, errors.notFoundTitle, html`<p>${errors.notFound}</p>`);
  const text = erasure.status === 'completed' ? texts.erasureDone : texts.erasureOpen;
  visit.say(200, texts.erasureTitle, html`<p>${text}</p><p class="hint">${texts.erasureKeep}</p>`);
}
