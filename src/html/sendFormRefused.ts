import type { Response } from 'express';
import type { Locale } from '../texts/textsFor.js';
import { textsFor } from '../texts/textsFor.js';
import { html } from './html.js';
import { messagePage } from './messagePage.js';
import { sendPage } from './sendPage.js';

/** Answers a form that did not come from our own page in this browser. Nothing was changed. */
export function sendFormRefused(response: Response, locale: Locale, backHref: string): void {
  const { errors } = textsFor(locale);
  const back = html`<div class="actions"><a class="button quiet" href="${backHref}">${errors.back}</a></div>`;
  sendPage(response, 403, messagePage(locale, errors.formTitle, html`<p>${errors.form}</p>`, back));
}
