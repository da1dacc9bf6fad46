import type { Locale } from '../texts/textsFor.js';
import { textsFor } from '../texts/textsFor.js';
import type { Html } from './html.js';
import { html } from './html.js';

/** Who asks, as the operator vouches for it. */
export interface Partner {
  name: string;
  /** Its place on this service. */
  logo: string | null;
  homePage: string | null;
  terms: string | null;
  privacy: string | null;
}

/**
 * The partner's logo and where it is at home, above a page's title. `returnHost` is shown where no home page
 * is known.
 */
export function partnerHead(locale: Locale, partner: Partner, returnHost: string | undefined): Html | false {
  const { logo, homePage } = partner;
  if (logo === null && homePage === null && returnHost === undefined) return false;
  return html`<div class="partner">
${logo !== null && partnerLogo(logo)}
<p><strong>${partner.name}</strong><br>${homePage === null ? returnHost : outward(locale, homePage, new URL(homePage).host)}</p>
</div>`;
}

/** The name is beside it, so the picture has no text for screen readers. */
export function partnerLogo(path: string): Html {
  return html`<img class="logo" src="${path}" width="48" height="48" alt="">`;
}

/** The partner's own documents; that they exist where the operator named none. */
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
