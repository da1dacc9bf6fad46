import type { FirstPartyPage } from '../../oauth/firstPartyPages.js';
import type { MemberApp } from '../../oauth/listMemberApps.js';
import type { Html } from '../pages/html.js';
import { html } from '../pages/html.js';
import type { Page } from '../pages/renderPage.js';
import type { Locale } from '../../texts/textsFor.js';
import { textsFor } from '../../texts/textsFor.js';

export interface PickView {
  locale: Locale;
  page: FirstPartyPage;
  apps: readonly MemberApp[];
  guard: Html;
  account: NonNullable<Page['account']>;
  /** Where the person goes on after the choice. */
  returnTo: string;
}

/** Which of the person's apps the page shall work with. */
export function pickPage(view: PickView): Page {
  const { appPages } = textsFor(view.locale);
  const { title } = view.page;
  return {
    locale: view.locale,
    title: `${title}: ${appPages.pickTitle}`,
    account: view.account,
    body: html`<div class="card">
<h1>${appPages.pickTitle}</h1>
<p class="lead">${view.apps.length === 0 ? appPages.noApps : appPages.pickLead(title)}</p>
${view.apps.length > 0 && html`<ul class="rows">${view.apps.map((app) => appRow(view, app))}</ul>`}
</div>`,
  };
}

function appRow(view: PickView, app: MemberApp): Html {
  const { appPages } = textsFor(view.locale);
  return html`<li class="row"><div><h2 class="plain">${app.name}</h2><p class="small"><code>${app.appId}</code></p></div>
<form method="post" action="${view.page.path}/start">${view.guard}<input type="hidden" name="app_id" value="${app.appId}"><input type="hidden" name="return_to" value="${view.returnTo}"><button class="small" aria-label="${appPages.openLabel(app.name)}">${appPages.open}</button></form></li>`;
}
