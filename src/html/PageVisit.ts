import type { Request, RequestHandler, Response } from 'express';
import type { AccountServices } from '../accounts/AccountServices.js';
import { formText, formTexts, queryText } from '../http/formValues.js';
import { localeOfRequest } from '../http/localeOfRequest.js';
import { returnPath } from '../http/returnPath.js';
import type { Locale } from '../texts/locale.js';
import { textsFor } from '../texts/textsFor.js';
import { formToken, isOwnForm } from './formGuard.js';
import type { Html, Printable } from './html.js';
import { html } from './html.js';
import { messagePage } from './messagePage.js';
import type { PagePolicy } from './pageHeaders.js';
import type { Page } from './renderPage.js';
import { sendOn, sendPage, sendPageJson } from './sendPage.js';

/** Handles a visit. */
export type PageStep<Visit extends PageVisit = PageVisit> = (visit: Visit) => Promise<void> | void;

/** A person's request for a page, with its response. */
export class PageVisit {
  readonly locale: Locale;
  readonly texts: ReturnType<typeof textsFor>;
  /** The policy of this page's responses. */
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

  /**
   * Answers GET of a form's address with the way to its page: a page that answers a refused form has the
   * form's address, which a browser may load again.
   */
  static leading(services: AccountServices, to: (visit: PageVisit) => string): RequestHandler {
    return PageVisit.at(services, (visit) => visit.goTo(to(visit)));
  }

  /** The IP address that the request comes from. */
  get address(): string {
    return this.request.ip ?? '';
  }

  /**
   * The path to open afterwards: `return_to` if it is a page of this service, else the person's connections.
   */
  get returnTo(): string {
    return returnPath(this.parameter('return_to'));
  }

  /** Adds `return_to` to a path. */
  withReturn(path: string): string {
    return `${path}?return_to=${encodeURIComponent(this.returnTo)}`;
  }

  /** A parameter of the query that was given once. */
  parameter(name: string): string | undefined {
    return queryText(this.request, name);
  }

  /** The first text in the posted form under the name; empty if there is none. */
  field(name: string): string {
    return formText(this.request, name);
  }

  fields(name: string): string[] {
    return formTexts(this.request, name);
  }

  /** The hidden field that binds a form to this browser. @param binding what the form belongs to */
  guard(binding: string): Html {
    return formToken(this.services, this.request, this.response, binding);
  }

  isOwnForm(binding: string): boolean {
    return isOwnForm(this.services, this.request, binding);
  }

  /** Refuses a form that did not come from this service's page in this browser. Nothing was changed. */
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

  /** Sends a message page. */
  say(status: number, title: string, body: Printable, after?: Printable): void {
    this.show(status, messagePage(this.locale, title, body, after));
  }

  goTo(location: string): void {
    sendOn(this.response, location, this.policy);
  }

  /** Sends the person to sign in, then back to `returnTo`. */
  signInFirst(returnTo: string): void {
    this.goTo(`/sign-in?return_to=${encodeURIComponent(returnTo)}`);
  }

  /** Sends JSON to a page's script or as a download. */
  sendJson(status: number, body: object): void {
    sendPageJson(this.response, status, body);
  }

  /** Sets `Retry-After` in seconds. @returns the minutes to tell the person */
  comeAgainIn(seconds: number): number {
    this.response.set('Retry-After', String(seconds));
    return Math.max(1, Math.ceil(seconds / 60));
  }
}
