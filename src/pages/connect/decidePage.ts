import type { StoredSession } from '../../domain/connectionSession.js';
import { secondsLeft } from '../../domain/connectionSession.js';
import type { Purpose } from '../../domain/purposes.js';
import { codeField } from '../../html/verifyPage.js';
import { checkField } from '../../html/fields.js';
import type { Html } from '../../html/html.js';
import { html } from '../../html/html.js';
import { notice } from '../../html/notices.js';
import type { Partner } from '../../html/partnerHead.js';
import { partnerDocuments, partnerHead } from '../../html/partnerHead.js';
import type { Page } from '../../html/renderPage.js';
import type { Locale } from '../../texts/textsFor.js';
import { formatMoment } from '../../texts/formatMoment.js';
import { textsFor } from '../../texts/textsFor.js';

export interface DecideView {
  locale: Locale;
  partner: Partner;
  /** Where the browser goes afterwards, as a person reads it; undefined when it stays here. */
  returnHost?: string;
  /** The zone of times. */
  zone: string | null;
  session: StoredSession;
  /** The path of the session's page. */
  path: string;
  now: Date;
  guard: Html;
  account: NonNullable<Page['account']>;
  /** Shown when the person approved without ticking anything. */
  nothingTicked: boolean;
  /** What was ticked before, when the decision could not be taken. */
  ticked: readonly Purpose[];
  /**
   * For an account whose address nobody has proved: the code that came by mail is asked for along with the
   * approval.
   */
  proof?: { email: string; guard: Html; mailbox: Html | false; returnTo: string; error?: string };
}

/**
 * Where the person decides: who asks, each purpose in plain words, approve what is ticked or decline. Nothing
 * is ticked beforehand.
 */
export function decidePage(view: DecideView): Page {
  const { connect, common } = textsFor(view.locale);
  const title = connect.decideTitle(view.partner.name);
  return {
    locale: view.locale,
    title: view.nothingTicked || view.proof?.error !== undefined ? `${common.errorPrefix} ${title}` : title,
    account: view.account,
    scripts: ['session.js', 'once.js', 'choose.js'],
    body: html`<div class="card">
${partnerHead(view.locale, view.partner, view.returnHost)}
<h1>${title}</h1>
<p class="lead">${connect.decideLead(view.partner.name)}</p>
${view.nothingTicked && notice('error', html`<p>${connect.chooseOne}</p>`)}
${clock(view)}
<form method="post" action="${view.path}/decision" data-once>
${view.guard}
<fieldset>
<legend>${connect.choose}</legend>
${view.session.requested_purposes.map((purpose) => purposeField(view, purpose))}
</fieldset>
${view.proof && html`<div class="proof">${codeField(view.locale, view.proof.email, view.proof.error, true)}</div>`}
<p class="small"><strong>${connect.withdrawTerm}</strong> ${connect.withdraw}</p>
<p class="small">${connect.terms(view.partner.name)}</p>
<p class="small">${partnerDocuments(view.locale, view.partner)}</p>
${afterwards(view)}
<div class="actions">
<button name="decision" value="approve">${connect.approve}</button>
<button name="decision" value="decline" class="quiet">${connect.decline}</button>
</div>
</form>
${view.proof && resend(view.locale, view.proof)}
</div>`,
  };
}

function resend(locale: Locale, { guard, mailbox, returnTo }: NonNullable<DecideView['proof']>): Html {
  const { recovery } = textsFor(locale);
  return html`<form method="post" action="/verify-address/send" class="aside">${guard}<input type="hidden" name="return_to" value="${returnTo}"><button class="quiet small">${recovery.sendAgain}</button></form>
${mailbox}`;
}

/**
 * Says until when; the script turns it into a countdown and looks whether the session has ended elsewhere.
 */
function clock(view: DecideView): Html {
  const { connect } = textsFor(view.locale);
  const { expires_at: expiresAt, status } = view.session;
  return html`<p class="clock" role="timer" data-expires-in="${secondsLeft(view.session, view.now)}" data-label="${connect.timeLeft}" data-state-url="${view.path}/state" data-status="${status}"><span>${connect.endsAt}</span> <time datetime="${expiresAt}">${formatMoment(view.locale, expiresAt, view.zone)}</time></p>`;
}

/** Told where the partner is at home at another place than the one that the browser goes to. */
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
