import type { MemberApp } from '../../oauth/listMemberApps.js';
import type { Html } from '../pages/html.js';
import { html } from '../pages/html.js';
import type { Page } from '../pages/renderPage.js';
import type { Locale } from '../texts/textsFor.js';
import { textsFor } from '../texts/textsFor.js';

export interface PickView {
  locale: Locale;
  apps: readonly MemberApp[];
  guard: Html;
  account: NonNullable<Page['account']>;
}

/** Which of the person's apps GraphiQL shall work with. */
export function pickPage(view: PickView): Page {
  const { graphiql } = textsFor(view.locale);
  return {
    locale: view.locale,
    title: `${graphiql.title}: ${graphiql.pickTitle}`,
    account: view.account,
    body: html`<div class="card">
<h1>${graphiql.pickTitle}</h1>
<p class="lead">${view.apps.length === 0 ? graphiql.noApps : graphiql.pickLead}</p>
${view.apps.length > 0 && html`<ul class="rows">${view.apps.map((app) => appRow(view, app))}</ul>`}
</div>`,
  };
}

function appRow(view: PickView, app: MemberApp): Html {
  const { graphiql } = textsFor(view.locale);
  return html`<li class="row"><div><h2 class="plain">${app.name}</h2><p class="small"><code>${app.appId}</code></p></div>
<form method="post" action="/graphiql/start">${view.guard}<input type="hidden" name="app_id" value="${app.appId}"><button class="small" aria-label="${graphiql.openLabel(app.name)}">${graphiql.open}</button></form></li>`;
}
