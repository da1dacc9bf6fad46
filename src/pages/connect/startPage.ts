import type { Html } from '../../html/html.js';
import { html } from '../../html/html.js';
import type { Partner } from '../../html/partnerHead.js';
import { partnerHead } from '../../html/partnerHead.js';
import type { Page } from '../../html/renderPage.js';
import type { Locale } from '../../texts/locale.js';
import { textsFor } from '../../texts/textsFor.js';

export interface StartView {
  locale: Locale;
  partner: Partner;
  /** Whether the browser goes back to the partner afterwards. */
  returns: boolean;
  action: string;
  clientToken: string;
  guard: Html;
}

/**
 * The page of a link that was not redeemed. Opening it changes nothing, because mail scanners open links too;
 * only its button does.
 */
export function startPage(view: StartView): Page {
  const { connect } = textsFor(view.locale);
  return {
    locale: view.locale,
    title: connect.startTitle(view.partner.name),
    body: html`<div class="card">
${partnerHead(view.locale, view.partner, undefined)}
<h1>${connect.startTitle(view.partner.name)}</h1>
<p class="lead">${connect.startLead(view.partner.name)}</p>
<h2>${connect.startSteps}</h2>
<ol class="steps">
<li>${connect.startStep1}</li>
<li>${connect.startStep2(view.partner.name)}</li>
${view.returns && html`<li>${connect.startStep3(view.partner.name)}</li>`}
</ol>
<form method="post" action="${view.action}">
${view.guard}
<input type="hidden" name="client_token" value="${view.clientToken}">
<div class="actions"><button>${connect.continue}</button></div>
</form>
<p class="hint">${connect.startOnce}</p>
</div>`,
  };
}
