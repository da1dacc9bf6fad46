import type { Request, RequestHandler, Response } from 'express';
import type { AccountServices } from '../accounts/AccountServices.js';
import { formText, formTexts, queryText } from '../http/formValues.js';
import { localeOfRequest } from '../http/localeOfRequest.js';
import { returnPath } from '../http/returnPath.js';
import type { Locale } from '../texts/textsFor.js';
import { textsFor } from '../texts/textsFor.js';
import { formToken, isOwnForm } from './formGuard.js';
import type { Html, Printable } from './html.js';
import { html } from './html.js';
import { messagePage } from './messagePage.js';
import type { PagePolicy } from './pageHeaders.js';
import { pageHeaders } from './pageHeaders.js';
import type { Page } from './renderPage.js';
import { sendOn, sendPage } from './sendPage.js';

/** What answers a visit. */
export type PageStep<Visit extends PageVisit = PageVisit> = (visit: Visit) => Promise<void> | void;

/** A person's request for a page, and the answer to it. */
export class PageVisit {
  readonly locale: Locale;
  readonly texts: ReturnType<typeof textsFor>;
  /** What the answers of this page allow browsers. */
  readonly policy: PagePolicy = {};

  constructor(
    readonly services: AccountServices,
    readonly request: Request,
    readonly response: Response,
  ) {
    this.locale = localeOfRequest(request);
    this.texts = textsFor(this.locale);
  }

  static at(services: AccountServices, step: PageStep): RequestHandler {
    return (request, response) => step(new PageVisit(services, request, response));
  }

  /** The IP address that the request comes from. */
  get address(): string {
    return this.request.ip ?? '';
  }

  /** Where the person goes on afterwards: `return_to` when it is a page of ours, else their connections. */
  get returnTo(): string {
    return returnPath(this.parameter('return_to'));
  }

  /** A path that keeps where the person goes on afterwards. */
  withReturn(path: string): string {
    return `${path}?return_to=${encodeURIComponent(this.returnTo)}`;
  }

  /** A parameter of the query that was given once. */
  parameter(name: string): string | undefined {
    return queryText(this.request, name);
  }

  /** The first text that the posted form holds under the name, or an empty one. */
  field(name: string): string {
    return formText(this.request, name);
  }

  fields(name: string): string[] {
    return formTexts(this.request, name);
  }

  /** The hidden field of a form that only this browser can post. @param binding what the form belongs to */
  guard(binding: string): Html {
    return formToken(this.services, this.request, this.response, binding);
  }

  isOwnForm(binding: string): boolean {
    return isOwnForm(this.services, this.request, binding);
  }

  /** Answers a form that did not come from our own page in this browser. Nothing was changed. */
  refuseForm(backHref: string): void {
    const { errors } = this.texts;
    const back = html`<div class="actions"><a class="button quiet" href="${backHref}">${errors.back}</a></div>`;
    sendPage(
      this.response,
      403,
      messagePage(this.locale, errors.formTitle, html`<p>${errors.form}</p>`, back),
    );
  }

  show(status: number, page: Page, policy = this.policy): void {
    sendPage(this.response, status, page, policy);
  }

  /** Answers with a page that only says what happened and what to do. */
  say(status: number, title: string, body: Printable, after?: Printable): void {
    this.show(status, messagePage(this.locale, title, body, after));
  }

  goTo(location: string): void {
    sendOn(this.response, location, this.policy);
  }

  /** Has the person sign in, and come back. */
  signInFirst(returnTo: string): void {
    this.goTo(`/sign-in?return_to=${encodeURIComponent(returnTo)}`);
  }

  /** Answers a page's script, or a download. */
  sendJson(status: number, body: object): void {
    this.response.status(status);
    this.response.set({ ...pageHeaders(), 'Content-Type': 'application/json; charset=utf-8' });
    this.response.end(JSON.stringify(body, undefined, 2));
  }

  /** Tells clients when to come again, in seconds; the minutes that the person is told. */
  comeAgainIn(seconds: number): number {
    this.response.set('Retry-After', String(seconds));
    return Math.max(1, Math.ceil(seconds / 60));
  }
}
