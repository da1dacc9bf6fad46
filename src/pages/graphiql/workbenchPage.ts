import type { Scope } from '../../domain/scopes.js';
import { isScope } from '../../domain/scopes.js';
import type { Html } from '../../html/html.js';
import { html } from '../../html/html.js';
import type { Page } from '../../html/renderPage.js';
import type { Locale } from '../../texts/locale.js';
import { textsFor } from '../../texts/textsFor.js';
import type { Bundle } from '../appPages/bundle.js';
import { bundlePath } from '../appPages/bundle.js';
import { EXAMPLES } from './examples.js';

export interface WorkbenchView {
  locale: Locale;
  /** Tells persons apart in a browser, and names nobody. */
  owner: string;
  appId: string;
  appName: string;
  scopes: readonly string[];
  account: NonNullable<Page['account']>;
  /** The guard of the form to pick another app. */
  guard: Html;
  bundle: Bundle;
}

/**
 * The page with GraphiQL. It sends queries to `/graphiql/query`, which adds the token, so the page never has
 * it.
 */
export function workbenchPage(view: WorkbenchView): Page {
  const { graphiql, appPages } = textsFor(view.locale);
  const config = JSON.stringify({
    appId: view.appId,
    owner: view.owner,
    examples: EXAMPLES.map((example) => ({ ...example, name: example.name[view.locale] })),
    texts: {
      examples: graphiql.examples,
      hint: graphiql.examplesHint,
      begin: graphiql.begin,
      operation: graphiql.operation,
      variables: graphiql.variables,
      result: graphiql.result,
      elapsed: graphiql.elapsed,
      cost: graphiql.cost,
      docs: graphiql.docs,
      editor: graphiql.editor,
      answer: graphiql.answer,
      copyCurl: graphiql.copyCurl,
      copied: graphiql.copied,
      unreachable: graphiql.unreachable,
    },
  });
  return {
    locale: view.locale,
    title: `${graphiql.title}: ${view.appName}`,
    width: 'full',
    account: view.account,
    head: html`<link rel="stylesheet" href="${bundlePath(view.bundle, 'graphiql.css')}"><script src="${bundlePath(view.bundle, 'graphiql.js')}" defer></script>`,
    body: html`<div class="bar">
<h1>${graphiql.title}: ${view.appName}</h1>
<details class="scopes"><summary>${graphiql.scopes(view.scopes.length)}</summary>
<ul class="rights">${view.scopes.filter(isScope).map((scope) => scopeItem(view.locale, scope))}</ul></details>
<output class="answer-cost" id="answer-cost"></output>
<form method="post" action="/graphiql/leave">${view.guard}<button class="quiet small">${appPages.otherApp}</button></form>
</div>
<noscript><p>${graphiql.needsScript}</p></noscript>
<div id="graphiql-parts" class="graphiql-parts" role="group" aria-label="${graphiql.parts}"></div>
<div id="graphiql" data-config="${config}"></div>`,
  };
}

function scopeItem(locale: Locale, scope: Scope): Html {
  return html`<li>${textsFor(locale).scopes[scope]} <code>${scope}</code></li>`;
}
