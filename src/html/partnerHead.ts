import type { Locale } from '../texts/locale.js';
import { textsFor } from '../texts/textsFor.js';
import type { Html } from './html.js';
import { html } from './html.js';

/** The requesting partner, as registered by the operator. */
export interface Partner {
  name: string;
  /** The path of its logo on this service. */
  logo: string | null;
  homePage: string | null;
  terms: string | null;
  privacy: string | null;
}

/** The partner's logo and home page, above a page's title. Without a home page `returnHost` is shown. */
export function partnerHead(locale: Locale, partner: Partner, returnHost: string | undefined): Html | false {
  const { logo, homePage } = partner;
  if (logo === null && homePage === null && returnHost === undefined) return false;
  return html`<div class="partner">
${logo !== null && partnerLogo(logo)}
<p><strong>${partner.name}</strong><br>${homePage === null ? returnHost : outward(locale, homePage, new URL(homePage).host)}</p>
</div>`;
}

/** The name is next to the logo, so its alternative text is empty. */
export function partnerLogo(path: string): Html {
  return html`<img class="logo" src="${path}" width="48" height="48" alt="">`;
}

/** Links to the partner's documents, or a note where to find them if the operator registered none. */
export function partnerDocuments(locale: Locale, { name, terms, privacy }: Partner): Html {
  const { connect } = textsFor(locale);
  if (terms === null && privacy === null) return html`${connect.documentsElsewhere(name)}`;
  const links = [
    ...(terms === null ? [] : [outward(locale, terms, connect.termsOfService)]),
    ...(privacy === null ? [] : [outward(locale, privacy, connect.privacyPolicy)]),
  ];
  return html`${connect.documents(name)} ${links.map((link, at) => html`${at > 0 && ' · '}${link}`)}`;
}

/** Opens a new tab, so that the form keeps its state. */
function outward(locale: Locale, href: string, text: string): Html {
  const { common } = textsFor(locale);
  return html`<a href="${href}" target="_blank" rel="noopener noreferrer">${text}<span class="unseen"> ${common.newTab}</span></a>`;
}
