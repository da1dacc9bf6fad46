import type { FirstPartyPage } from '../../oauth/firstPartyPages.js';
import type { Scope } from '../../domain/scopes.js';
import { isReadScope } from '../../domain/scopes.js';
import type { MemberApp } from '../../oauth/listMemberApps.js';
import { checkField } from '../../html/fields.js';
import type { Html } from '../../html/html.js';
import { html } from '../../html/html.js';
import type { Page } from '../../html/renderPage.js';
import type { Locale } from '../../texts/locale.js';
import { textsFor } from '../../texts/textsFor.js';

export interface PickView {
  locale: Locale;
  page: FirstPartyPage;
  apps: readonly MemberApp[];
  guard: Html;
  account: NonNullable<Page['account']>;
  /** The path to open after the choice. */
  returnTo: string;
}

/** The page to choose one of the person's apps. */
export function pickPage(view: PickView): Page {
  const { appPages } = textsFor(view.locale);
  const { title } = view.page;
  return {
    locale: view.locale,
    title: `${title}: ${appPages.pickTitle}`,
    account: view.account,
    scripts: ['choose.js'],
    body: html`<div class="card">
<h1>${appPages.pickTitle}</h1>
<p class="lead">${view.apps.length === 0 ? appPages.noApps : appPages.pickLead(title)}</p>
${view.apps.length > 0 && html`<ul class="rows">${view.apps.map((app) => appRow(view, app))}</ul>`}
</div>`,
  };
}

function appRow(view: PickView, app: MemberApp): Html {
  return html`<li class="row"><div><h2 class="plain">${app.name}</h2><p class="small"><code>${app.appId}</code></p></div>
<form method="post" action="${view.page.path}/start">${view.guard}<input type="hidden" name="app_id" value="${app.appId}"><input type="hidden" name="return_to" value="${view.returnTo}">${ways(view, app)}</form></li>`;
}

/** Read-only comes first, so that a person who only looks around changes nothing by mistake. */
function ways({ locale, page }: PickView, app: MemberApp): Html {
  const { name, scopes } = app;
  const { appPages } = textsFor(locale);
  const reading = scopes.filter(isReadScope);
  const differs = page.choosesRights && reading.length > 0 && reading.length < scopes.length;
  if (!differs)
    return html`<button class="small" aria-label="${appPages.openLabel(name)}">${appPages.open}</button>${page.choosesRights && scopes.length > 1 && single(locale, app, scopes)}`;
  return html`<div class="ways"><button class="small" name="reach" value="read" aria-label="${appPages.openReadingLabel(name)}">${appPages.openReading}</button>
<button class="quiet small" name="reach" value="all" aria-label="${appPages.openAllLabel(name)}">${appPages.openAll}</button></div>${single(locale, app, reading)}`;
}

function single(locale: Locale, { appId, scopes }: MemberApp, ticked: readonly Scope[]): Html {
  const { appPages, scopes: meanings } = textsFor(locale);
  return html`<details class="single"><summary>${appPages.chooseRights}</summary>
${scopes.map((scope) => checkField({ name: 'scopes', value: scope, id: `${appId}-${scope}`, label: meanings[scope], checked: ticked.includes(scope), body: html`<code>${scope}</code>` }))}
<button class="small" name="reach" value="chosen">${appPages.openChosen}</button></details>`;
}
