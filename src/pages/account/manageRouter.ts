import type { Request, Response } from 'express';
import express from 'express';
import {
  changeAddress,
  changePassword,
  endSessions,
  setPreferences,
} from '../../accounts/accountSettings.js';
import { deleteAccount } from '../../accounts/deleteAccount.js';
import { eraseAccount } from '../../accounts/eraseAccount.js';
import { addPasskey, passkeyCreationOptions, removePasskey } from '../../accounts/passkeys.js';
import { readAccount } from '../../accounts/readAccount.js';
import { listAccountConnections } from '../../loaders/listAccountConnections.js';
import type { AccountSession } from '../../accounts/AccountSession.js';
import { endAccountSession } from '../../oauth/accountSession.js';
import { LOCALES, textsFor } from '../../texts/textsFor.js';
import { formText, queryText } from '../../http/formValues.js';
import { keepLanguage, localeOfRequest } from '../../http/localeOfRequest.js';
import { formToken, isOwnForm } from '../../html/formGuard.js';
import { html } from '../../html/html.js';
import { messagePage } from '../../html/messagePage.js';
import { sendFormRefused } from '../../html/sendFormRefused.js';
import { sendJson } from '../../html/sendJson.js';
import { sendOn, sendPage } from '../../html/sendPage.js';
import type { SignedInStep as Step } from './signedIn.js';
import { signedIn } from './signedIn.js';
import type { AccountServices } from '../../accounts/AccountServices.js';
import { accountBar } from './accountBar.js';
import type { AccountPageView } from './accountPage.js';
import { accountPage } from './accountPage.js';
import { describeBrowser } from './describeBrowser.js';
import { exportAccount } from './exportAccount.js';
import { passwordProblemText } from './signUpProblems.js';
import { timeZoneNamed } from './timeZoneNamed.js';
import { timeZoneOf } from './timeZoneOf.js';
import { waitMinutes } from '../../html/waitMinutes.js';

const PATH = '/account';
const back = (): string => PATH;

/**
 * How long after signing in a person may change how they get in, in milliseconds; later they sign in once
 * more.
 */
const FRESH_MS = 15 * 60 * 1000;

/** "My account". */
export function manageRouter(services: AccountServices): express.Router {
  const router = express.Router();
  router.get(PATH, signedIn(services, show, back));
  router.post(`${PATH}/address`, ownForm(services, fresh(address)));
  router.post(`${PATH}/password`, ownForm(services, fresh(password)));
  router.post(`${PATH}/sessions`, ownForm(services, sessions));
  router.post(`${PATH}/preferences`, ownForm(services, preferences));
  router.post(`${PATH}/passkeys/options`, ownForm(services, passkeyOptions));
  router.post(`${PATH}/passkeys/remove`, ownForm(services, fresh(passkeyRemove)));
  router.post(`${PATH}/passkeys`, ownForm(services, fresh(passkeyAdd)));
  router.get(`${PATH}/export`, signedIn(services, download, back));
  router.get(`${PATH}/delete`, signedIn(services, fresh(askToDelete), back));
  router.post(`${PATH}/delete`, ownForm(services, fresh(remove)));
  router.get('/erasures/:id', (request, response) => showErasure(services, request, response));
  return router;
}

function ownForm(services: AccountServices, step: Step): express.RequestHandler {
  return signedIn(
    services,
    async (_services, request, response, account) => {
      if (!isOwnForm(services, request, bindingOf(account)))
        return sendFormRefused(response, localeOfRequest(request), PATH);
      await step(services, request, response, account);
    },
    back,
  );
}

/** Whoever sits down at a browser that somebody left signed in changes nothing about how they get in. */
function fresh(step: Step): Step {
  return async (services, request, response, account) => {
    const age = services.clock().getTime() - Date.parse(account.startedAt);
    if (age <= FRESH_MS) return step(services, request, response, account);
    const target = request.method === 'GET' ? request.path : PATH;
    sendOn(response, `/sign-in?return_to=${encodeURIComponent(target)}`);
  };
}

function bindingOf(account: AccountSession): string {
  return `account:${account.id}`;
}

const DONE = ['passwordChanged', 'passkeyAdded', 'saved'] as const;

const show: Step = async (services, request, response, account) => {
  const done = DONE.find((name) => name === queryText(request, 'done'));
  const { account: texts } = textsFor(localeOfRequest(request));
  await sendAccount(
    services,
    request,
    response,
    account,
    200,
    done === undefined ? {} : { done: texts[done] },
  );
};

async function sendAccount(
  services: AccountServices,
  request: Request,
  response: Response,
  account: AccountSession,
  status: number,
  more: Pick<AccountPageView, 'done' | 'problem'>,
): Promise<void> {
  const locale = localeOfRequest(request);
  const about = await readAccount(services.database, account.accountId, services.clock());
  if (about === undefined) return sendOn(response, '/sign-in');
  const page = accountPage({
    locale,
    about,
    zone: timeZoneOf(request, account),
    timeZone: account.timeZone,
    sessionId: account.id,
    account: accountBar(services, request, response, locale, account, PATH),
    guard: formToken(services, request, response, bindingOf(account)),
    ...more,
  });
  sendPage(response, status, page, { connects: true });
}

const address: Step = async (services, request, response, account) => {
  const { account: texts, signIn } = textsFor(localeOfRequest(request));
  const email = formText(request, 'email').trim();
  const result = await changeAddress(services, account, email);
  if (result.kind === 'mailed')
    return sendAccount(services, request, response, account, 200, { done: texts.addressSent(email) });
  if (result.kind === 'throttled') response.set('Retry-After', String(result.retryAfterSeconds));
  const text =
    result.kind === 'invalid' ? texts.addressInvalid : signIn.tooMany(waitMinutes(result.retryAfterSeconds));
  const status = result.kind === 'invalid' ? 422 : 429;
  await sendAccount(services, request, response, account, status, { problem: { field: 'email', text } });
};

const password: Step = async (services, request, response, account) => {
  const problem = await changePassword(services, account, formText(request, 'password'));
  if (problem === undefined) return sendOn(response, `${PATH}?done=passwordChanged`);
  const text = passwordProblemText(localeOfRequest(request), problem);
  await sendAccount(services, request, response, account, 422, { problem: { field: 'password', text } });
};

const sessions: Step = async (services, request, response, account) => {
  await endSessions(services, account, formText(request, 'session'));
  sendOn(response, PATH);
};

const preferences: Step = async (services, request, response, account) => {
  const locale = LOCALES.find((name) => name === formText(request, 'locale')) ?? account.locale;
  const timeZone = timeZoneNamed(formText(request, 'time_zone'));
  const approvalNotices = formText(request, 'approval_notices') === 'on';
  await setPreferences(services, account.accountId, { locale, timeZone, approvalNotices });
  keepLanguage(services.config.baseUrl, response, locale);
  sendOn(response, `${PATH}?done=saved`);
};

const passkeyOptions: Step = async (services, _request, response, account) => {
  sendJson(response, 200, await passkeyCreationOptions(services, account));
};

const passkeyAdd: Step = async (services, request, response, account) => {
  const { account: texts } = textsFor(localeOfRequest(request));
  const label = describeBrowser(texts, request.get('user-agent') ?? null);
  const added = await addPasskey(services, account, formText(request, 'credential'), label);
  if (added) return sendOn(response, `${PATH}?done=passkeyAdded`);
  const problem = { field: 'passkey' as const, text: texts.passkeyFailed };
  await sendAccount(services, request, response, account, 422, { problem });
};

const passkeyRemove: Step = async (services, request, response, account) => {
  await removePasskey(services, account.accountId, formText(request, 'id'));
  sendOn(response, PATH);
};

const download: Step = async (services, _request, response, account) => {
  response.set('Content-Disposition', 'attachment; filename="my-consents.json"');
  sendJson(response, 200, (await exportAccount(services, account)) ?? {});
};

const askToDelete: Step = async (services, request, response, account) => {
  const locale = localeOfRequest(request);
  const { account: texts } = textsFor(locale);
  const connections = await listAccountConnections(services, account.accountId);
  const open = connections.filter(({ purposes }) => purposes.some(({ state }) => state !== 'withdrawn'));
  const guard = formToken(services, request, response, bindingOf(account));
  const page = messagePage(
    locale,
    texts.deleteTitle,
    html`<p>${texts.deleteWarning(new Set(open.map(({ appId }) => appId)).size)}</p>`,
    html`<form method="post" action="${PATH}/delete">${guard}<div class="actions"><button class="danger">${texts.deleteConfirm}</button><a class="button quiet" href="${PATH}">${texts.keep}</a></div></form>`,
  );
  sendPage(response, 200, {
    ...page,
    account: accountBar(services, request, response, locale, account, PATH),
  });
};

/** Everything is withdrawn when this answers; were the process killed meanwhile, a worker would finish it. */
const remove: Step = async (services, request, response, account) => {
  const erasure = await deleteAccount(services, account.accountId);
  if (erasure === undefined) return sendOn(response, '/sign-in');
  await eraseAccount(services, erasure);
  await endAccountSession(services, request, response);
  sendOn(response, `/erasures/${erasure}`);
};

async function showErasure(services: AccountServices, request: Request, response: Response): Promise<void> {
  const locale = localeOfRequest(request);
  const { account: texts, errors } = textsFor(locale);
  const [erasure] = await services.database.read<{ status: string }>(ERASURE, [request.params['id'] ?? '']);
  if (erasure === undefined)
    return sendPage(
      response,
      404,
      messagePage(locale, errors.notFoundTitle, html`<p>${errors.notFound}</p>`),
    );
  const text = erasure.status === 'completed' ? texts.erasureDone : texts.erasureOpen;
  const body = html`<p>${text}</p><p class="hint">${texts.erasureKeep}</p>`;
  sendPage(response, 200, messagePage(locale, texts.erasureTitle, body));
}

const ERASURE = {
  name: 'account_erasure_read',
  text: 'SELECT status FROM account_erasures WHERE erasure_id = $1',
};
