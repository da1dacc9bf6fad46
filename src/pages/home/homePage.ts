import { html } from '../../html/html.js';
import type { Page } from '../../html/renderPage.js';
import type { Locale } from '../../texts/locale.js';
import type { Texts } from '../../texts/en.js';
import { textsFor } from '../../texts/textsFor.js';
import { PLACES } from './places.js';

export interface HomeView {
  locale: Locale;
  baseUrl: string;
  /** Whether the database answers. */
  isReady: boolean;
}

type Name = keyof Texts['home']['places'];

const FOR_PEOPLE: readonly Name[] = ['connections'];
const FOR_PARTNERS: readonly Name[] = ['documentation', 'dashboard', 'graphiql', 'openapi'];

/** The home page: one short list for each kind of visitor. */
export function homePage({ locale, baseUrl, isReady }: HomeView): Page {
  const { home } = textsFor(locale);
  const list = (names: readonly Name[]) =>
    html`<ul class="places">${names.map(
      (name) =>
        html`<li><a href="${PLACES[name]}">${home.places[name].label}</a><p>${home.places[name].text}</p></li>`,
    )}</ul>`;
  return {
    locale,
    title: home.title,
    width: 'wide',
    body: html`<div class="card">
<h1>${home.title}</h1>
<p>${home.lead}</p>
<p class="${isReady ? 'status well' : 'status unwell'}">${isReady ? home.ready : home.notReady}</p>
<h2>${home.forPeople}</h2>
${list(FOR_PEOPLE)}
<h2>${home.forPartners}</h2>
${list(FOR_PARTNERS)}
<h2 id="programs">${home.forPrograms}</h2>
<pre tabindex="0" role="group" aria-labelledby="programs"><code>curl ${baseUrl}/v1/openapi.json
curl ${baseUrl}/.well-known/oauth-authorization-server</code></pre>
</div>`,
  };
}
