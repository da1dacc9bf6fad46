import type { StoredSession } from '../../domain/connectionSession.js';
import { secondsLeft } from '../../domain/connectionSession.js';
import type { Purpose } from '../../domain/purposes.js';
import { checkField } from '../../html/fields.js';
import type { Html } from '../../html/html.js';
import { html } from '../../html/html.js';
import { notice } from '../../html/notices.js';
import type { Partner } from '../../html/partnerHead.js';
import { partnerDocuments, partnerHead } from '../../html/partnerHead.js';
import type { Page } from '../../html/renderPage.js';
import type { Locale } from '../../texts/locale.js';
import { formatMoment } from '../../texts/formatMoment.js';
import { textsFor } from '../../texts/textsFor.js';
import { codeField } from '../account/verifyPage.js';

export interface DecideView {
  locale: Locale;
  partner: Partner;
  /** The host to which the browser goes afterwards; undefined when it stays on this service. */
  returnHost?: string;
  /** The time zone of displayed times. */
  zone: string | null;
  session: StoredSession;
  /** The purposes to choose from; none when the app may no longer use what it asked for. */
  offered: readonly Purpose[];
  /** The path of the session's page. */
  path: string;
  now: Date;
  guard: Html;
  account: NonNullable<Page['account']>;
  /** Whether the person approved without ticking a purpose. */
  nothingTicked: boolean;
  /** The purposes ticked before, when the decision could not be recorded. */
  ticked: readonly Purpose[];
  /**
   * For an account with an unverified address: the page asks for the mailed code together with the approval.
   */
  proof?: { email: string; guard: Html; mailbox: Html | false; returnTo: string; error?: string };
}

/**
 * The decision page: the partner, each purpose in plain words, and the buttons to approve the ticked purposes
 * or to decline. Nothing is ticked initially.
 */
export function decidePage(view: DecideView): Page {
  const { connect } = textsFor(view.locale);
  const title = connect.decideTitle(view.partner.name);
  const offers = view.offered.length > 0;
  return {
    locale: view.locale,
    title,
    isRefusal: view.nothingTicked || view.proof?.error !== undefined,
    account: view.account,
    scripts: ['session.js', 'choose.js'],
    body: html`<div class="card">
${partnerHead(view.locale, view.partner, view.returnHost)}
<h1>${title}</h1>
<p class="lead">${offers ? connect.decideLead(view.partner.name) : connect.nothingOffered(view.partner.name)}</p>
${view.nothingTicked && notice('error', html`<p>${connect.chooseOne}</p>`)}
${clock(view)}
<form method="post" action="${view.path}/decision">
${view.guard}
${offers && choice(view)}
${afterwards(view)}
<div class="actions">
${offers && html`<button name="decision" value="approve">${connect.approve}</button>`}
<button name="decision" value="decline" class="quiet">${connect.decline}</button>
</div>
</form>
${offers && view.proof && resend(view.locale, view.proof)}
</div>`,
  };
}

/** What there is to tick, and what approving it means. */
function choice(view: DecideView): Html {
  const { connect } = textsFor(view.locale);
  return html`<fieldset>
<legend>${connect.choose}</legend>
${view.offered.map((purpose) => purposeField(view, purpose))}
</fieldset>
${view.proof && html`<div class="proof">${codeField(view.locale, view.proof.email, view.proof.error, true)}</div>`}
<p class="small"><strong>${connect.withdrawTerm}</strong> ${connect.withdraw}</p>
<p class="small">${connect.terms(view.partner.name)}</p>
<p class="small">${partnerDocuments(view.locale, view.partner)}</p>`;
}

function resend(locale: Locale, { guard, mailbox, returnTo }: NonNullable<DecideView['proof']>): Html {
  const { recovery } = textsFor(locale);
  return html`<form method="post" action="/verify-address/send" class="aside">${guard}<input type="hidden" name="return_to" value="${returnTo}"><button class="quiet small">${recovery.sendAgain}</button></form>
${mailbox}`;
}

/**
 * Shows the deadline. The script turns it into a countdown and checks whether the session has ended
 * elsewhere.
 */
function clock(view: DecideView): Html {
  const { connect } = textsFor(view.locale);
  const { expires_at: expiresAt, status } = view.session;
  return html`<p class="clock" role="timer" data-expires-in="${secondsLeft(view.session, view.now)}" data-label="${connect.timeLeft}" data-state-url="${view.path}/state" data-status="${status}"><span>${connect.endsAt}</span> <time datetime="${expiresAt}">${formatMoment(view.locale, expiresAt, view.zone)}</time></p>`;
}

/** A note that names the redirect's host, shown when it differs from the host of the partner's home page. */
function afterwards({ locale, partner, returnHost }: DecideView): Html | false {
  const known = partner.homePage === null || new URL(partner.homePage).host === returnHost;
  if (known || returnHost === undefined) return false;
  return html`<p class="small">${textsFor(locale).authorize.afterwards(returnHost)}</p>`;
}

function purposeField({ locale, partner, ticked }: DecideView, purpose: Purpose): Html {
  const texts = textsFor(locale);
  const about = texts.purposes(partner.name)[purpose];
  return checkField({
    name: 'purposes',
    value: purpose,
    id: `purpose-${purpose}`,
    label: about.name,
    checked: ticked.includes(purpose),
    body: html`<details><summary>${texts.connect.details}</summary><p>${about.allows}</p><p>${about.excludes}</p></details>`,
  });
}
