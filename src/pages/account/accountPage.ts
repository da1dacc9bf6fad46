import type { AccountView } from '../../accounts/readAccount.js';
import { formatMoment } from '../../texts/formatMoment.js';
import type { Locale } from '../../texts/locale.js';
import { LOCALES } from '../../texts/locale.js';
import { textsFor } from '../../texts/textsFor.js';
import { textField } from '../../html/fields.js';
import type { Html } from '../../html/html.js';
import { html } from '../../html/html.js';
import { notice } from '../../html/notices.js';
import type { Page } from '../../html/renderPage.js';
import { describeBrowser } from './describeBrowser.js';

export interface AccountPageView {
  locale: Locale;
  /** The time zone of displayed times. */
  zone: string | null;
  /** The time zone that is kept with the account; null: the browser's. */
  timeZone: string | null;
  account: NonNullable<Page['account']>;
  about: AccountView;
  /** The session of this browser. */
  sessionId: string;
  guard: Html;
  done?: string;
  info?: string;
  problem?: { field: 'email' | 'password' | 'passkey'; text: string };
}

/** The account page: address, ways to sign in, sessions, preferences, export and deletion. */
export function accountPage(view: AccountPageView): Page {
  const { account: texts } = textsFor(view.locale);
  return {
    locale: view.locale,
    title: texts.title,
    isRefusal: view.problem !== undefined,
    width: 'wide',
    account: view.account,
    scripts: ['passkey.js'],
    body: html`<h1>${texts.title}</h1>
${view.done !== undefined && notice('success', html`<p>${view.done}</p>`)}
${view.info !== undefined && notice('info', html`<p>${view.info}</p>`)}
${view.problem?.field === 'passkey' && notice('error', html`<p>${view.problem.text}</p>`)}
${addressCard(view)}
${signInCard(view)}
${sessionsCard(view)}
${preferencesCard(view)}
${dataCard(view)}`,
  };
}

function addressCard({ locale, about, guard, problem }: AccountPageView): Html {
  const { account: texts, recovery } = textsFor(locale);
  const error = problem?.field === 'email' ? problem.text : undefined;
  return html`<section class="card" aria-labelledby="address-title">
<h2 id="address-title">${texts.addressTitle}</h2>
<p>${about.email} <span class="tag ${about.emailVerified ? 'good' : ''}">${about.emailVerified ? texts.verified : texts.unverified}</span></p>
${about.newEmail !== null && html`<p>${about.newEmail} <span class="tag">${texts.unverified}</span></p>`}
${(!about.emailVerified || about.newEmail !== null) && html`<p><a class="alone" href="/verify-address">${recovery.confirmNow}</a></p>`}
<form method="post" action="/account/address">${guard}
${textField({ name: 'email', label: texts.addressChange, type: 'email', autocomplete: 'email', hint: texts.addressHint, ...(error === undefined ? {} : { error }) })}
<div class="actions"><button class="quiet">${texts.addressSubmit}</button></div></form>
</section>`;
}

function signInCard(view: AccountPageView): Html {
  const { locale, about, guard, problem } = view;
  const { account: texts, recovery } = textsFor(locale);
  const error = problem?.field === 'password' ? problem.text : undefined;
  return html`<section class="card" aria-labelledby="sign-in-title">
<h2 id="sign-in-title">${texts.signInTitle}</h2>
<h3>${texts.passkeys}</h3>
<p class="hint">${texts.passkeysLead}</p>
${about.passkeys.length === 0 ? html`<p>${texts.passkeyNone}</p>` : html`<ul class="rows">${about.passkeys.map((passkey) => passkeyRow(view, passkey))}</ul>`}
<form method="post" action="/account/passkeys" data-passkey="create" data-options="/account/passkeys/options" hidden>${guard}
<input type="hidden" name="credential" value=""><p class="problem" role="alert" hidden>${texts.passkeyFailed}</p>
<div class="actions"><button>${texts.passkeyAdd}</button></div></form>
<form method="post" action="/account/password">${guard}
${textField({ name: 'password', label: recovery.newPassword, type: 'password', autocomplete: 'new-password', hint: texts.passwordHint, ...(error === undefined ? {} : { error }) })}
<div class="actions"><button class="quiet">${texts.passwordSet}</button></div></form>
</section>`;
}

function passkeyRow(
  { locale, zone, guard }: AccountPageView,
  passkey: AccountView['passkeys'][number],
): Html {
  const { account: texts } = textsFor(locale);
  const used =
    passkey.lastUsedAt === null
      ? ''
      : ` · ${texts.passkeyUsed(formatMoment(locale, passkey.lastUsedAt, zone))}`;
  return html`<li class="row"><div><p>${passkey.label}</p>
<p class="small">${texts.passkeyMade(formatMoment(locale, passkey.createdAt, zone))}${used}</p></div>
<form method="post" action="/account/passkeys/remove">${guard}<input type="hidden" name="id" value="${passkey.id}"><button class="quiet small" aria-label="${texts.removeLabel(passkey.label)}">${texts.remove}</button></form></li>`;
}

function sessionsCard(view: AccountPageView): Html {
  const { locale, about, guard } = view;
  const { account: texts } = textsFor(locale);
  return html`<section class="card" aria-labelledby="sessions-title">
<h2 id="sessions-title">${texts.sessionsTitle}</h2>
<ul class="rows">${about.sessions.map((session) => sessionRow(view, session))}</ul>
${about.sessions.length > 1 && html`<form method="post" action="/account/sessions">${guard}<input type="hidden" name="session" value="others"><button class="quiet">${texts.sessionsEndOthers}</button></form>`}
</section>`;
}

function sessionRow(view: AccountPageView, session: AccountView['sessions'][number]): Html {
  const { locale, zone, guard, sessionId } = view;
  const { account: texts } = textsFor(locale);
  const browser = describeBrowser(texts, session.userAgent);
  const facts = [
    texts.sessionSince(formatMoment(locale, session.startedAt, zone)),
    ...(session.address === null || session.address === 'unknown'
      ? []
      : [texts.sessionFrom(session.address)]),
  ];
  const own = session.id === sessionId;
  return html`<li class="row"><div><p>${browser} ${own && html`<span class="tag good">${texts.sessionHere}</span>`}</p>
<p class="small">${facts.join(' · ')}</p></div>
${!own && html`<form method="post" action="/account/sessions">${guard}<input type="hidden" name="session" value="${session.id}"><button class="quiet small" aria-label="${texts.sessionEndLabel(browser)}">${texts.sessionEnd}</button></form>`}</li>`;
}

function preferencesCard({ locale, timeZone, about, guard }: AccountPageView): Html {
  const { account: texts } = textsFor(locale);
  return html`<section class="card" aria-labelledby="preferences-title">
<h2 id="preferences-title">${texts.preferencesTitle}</h2>
<form method="post" action="/account/preferences">${guard}
<div class="field"><label for="locale">${texts.language}</label>
<select id="locale" name="locale">${LOCALES.map((name) => option(name, texts.languages[name], name === locale))}</select></div>
<div class="field"><label for="time-zone">${texts.timeZone}</label>
<select id="time-zone" name="time_zone">${option('', texts.timeZoneOfBrowser, timeZone === null)}${zonesWith(timeZone).map((zone) => option(zone, zone.replaceAll('_', ' '), zone === timeZone))}</select></div>
<div class="check plain"><input type="checkbox" id="notices" name="approval_notices" value="on" aria-describedby="notices-about"${about.approvalNotices && html` checked`}><div><label for="notices">${texts.approvalNotices}</label><p class="hint" id="notices-about">${texts.approvalNoticesHint}</p></div></div>
<div class="actions"><button class="quiet">${texts.save}</button></div></form>
</section>`;
}

/** UTC and zones of other names are not in the list of `Intl`, but browsers are set to them. */
function zonesWith(timeZone: string | null): string[] {
  const zones = new Set(['UTC', ...Intl.supportedValuesOf('timeZone')]);
  return [...(timeZone === null ? zones : zones.add(timeZone))];
}

function option(value: string, label: string, selected: boolean): Html {
  return html`<option value="${value}"${selected && html` selected`}>${label}</option>`;
}

function dataCard({ locale }: AccountPageView): Html {
  const { account: texts } = textsFor(locale);
  return html`<section class="card" aria-labelledby="data-title">
<h2 id="data-title">${texts.dataTitle}</h2>
<p>${texts.exportLead}</p>
<div class="actions"><a class="button quiet" href="/account/export">${texts.export}</a></div>
<p>${texts.deleteLead}</p>
<div class="actions"><a class="button danger" href="/account/delete">${texts.delete}</a></div>
</section>`;
}
