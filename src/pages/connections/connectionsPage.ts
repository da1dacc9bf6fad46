import type { ConsentReceipt } from '../../../schema/types/Consent.js';
import { nameInText } from '../../domain/displayName.js';
import type { Purpose } from '../../domain/purposes.js';
import type { AccountConnection, ConnectionPurpose } from '../../loaders/listAccountConnections.js';
import type { Html } from '../../html/html.js';
import { html } from '../../html/html.js';
import { partnerLogo } from '../../html/partnerHead.js';
import { logoPath } from '../../domain/logoPath.js';
import { notice } from '../../html/notices.js';
import type { Page } from '../../html/renderPage.js';
import type { Locale } from '../../texts/locale.js';
import { formatMoment } from '../../texts/formatMoment.js';
import { textsFor } from '../../texts/textsFor.js';

export interface ConnectionsView {
  locale: Locale;
  /** The time zone of displayed times. */
  zone: string | null;
  connections: readonly AccountConnection[];
  account: NonNullable<Page['account']>;
  guard: Html;
  /** What to say when a withdrawal was not made. */
  notMade?: string | undefined;
  /** The purpose that was just withdrawn, and of which of the connections. */
  withdrawn?: { connection: AccountConnection; purpose: Purpose | 'all' };
}

/** The person's approvals by partner, each with its date and a button to withdraw it. */
export function connectionsPage(view: ConnectionsView): Page {
  const { connections } = textsFor(view.locale);
  return {
    locale: view.locale,
    title: connections.title,
    width: 'wide',
    account: view.account,
    body: html`<h1>${connections.title}</h1>
<p class="lead">${view.connections.length === 0 ? connections.none : connections.lead}</p>
${view.notMade !== undefined && notice('info', html`<p>${view.notMade}</p>`)}
${view.withdrawn && withdrawnNotice(view, view.withdrawn)}
${view.connections.map((connection) => connectionCard(view, connection))}`,
  };
}

/** Says which connection it is about where several have the partner's name. */
function withdrawnNotice(
  view: ConnectionsView,
  { connection, purpose }: NonNullable<ConnectionsView['withdrawn']>,
): Html {
  const { connections, purposes } = textsFor(view.locale);
  const { partner } = connection;
  const text =
    purpose === 'all'
      ? connections.withdrawnAll(partner)
      : connections.withdrawn(purposes(partner)[purpose].name, partner);
  const isOneOfSeveral = view.connections.filter((each) => each.partner === partner).length > 1;
  return notice(
    'success',
    html`<p>${text}</p>${isOneOfSeveral && html`<p class="small">${linkedText(view, connection)}</p>`}`,
  );
}

/** Tells connections of one partner apart. */
function linkedText({ locale, zone }: ConnectionsView, { linkedAt }: AccountConnection): string {
  return textsFor(locale).connections.linked(formatMoment(locale, linkedAt, zone));
}

function idOf({ appId, customerId }: AccountConnection): string {
  return `${appId}-${customerId}`;
}

function connectionCard(view: ConnectionsView, connection: AccountConnection): Html {
  const { connections } = textsFor(view.locale);
  const open = connection.purposes.filter(({ state }) => state !== 'withdrawn').length;
  const id = idOf(connection);
  return html`<section class="card" aria-labelledby="${id} ${id}-linked">
<h2 id="${id}" class="partner">${logoOf(connection)}${connection.partner}</h2>
<p id="${id}-linked" class="small">${linkedText(view, connection)}</p>
<ul class="rows">${connection.purposes.map((purpose) => purposeRow(view, connection, purpose))}</ul>
${open > 1 && withdrawForm(view, connection, 'all', connections.withdrawAll(connection.partner), 'danger')}
${connection.receipts.length > 0 && receiptList(view, connection)}
</section>`;
}

function logoOf({ appId, logoDigest }: AccountConnection): Html | false {
  return logoDigest !== null && partnerLogo(logoPath(appId, logoDigest));
}

function purposeRow(view: ConnectionsView, connection: AccountConnection, state: ConnectionPurpose): Html {
  const texts = textsFor(view.locale);
  const { name, allows } = texts.purposes(connection.partner)[state.purpose];
  return html`<li class="row"><div>
<h3>${name}</h3>
<p class="hint">${allows}</p>
${stateLines(view, connection.partner, state)}
</div>${state.state !== 'withdrawn' && withdrawForm(view, connection, state, withdrawLabel(view.locale, connection.partner, state), 'quiet')}</li>`;
}

function withdrawLabel(locale: Locale, partner: string, { purpose, state }: ConnectionPurpose): string {
  const { connections, purposes } = textsFor(locale);
  const label = state === 'granted' ? connections.withdrawLabel : connections.takeBackLabel;
  return label(purposes(partner)[purpose].name, partner);
}

/** The state with its date. An approval that the partner has not recorded also has its deadline. */
function stateLines(
  { locale, zone }: ConnectionsView,
  partner: string,
  { state, since, approvedUntil }: ConnectionPurpose,
): Html {
  const { connections } = textsFor(locale);
  const begun = since === null ? undefined : formatMoment(locale, since, zone);
  const until = approvedUntil === null ? undefined : formatMoment(locale, approvedUntil, zone);
  const looks = { granted: 'good', approved: 'open', withdrawn: '' };
  const told = state === 'withdrawn' ? connections.ended : connections.since;
  return html`<p class="small"><span class="tag ${looks[state]}">${connections.states[state]}</span> ${begun && told(begun)}</p>
${until && html`<p class="small">${connections.approvedUntil(partner, until)}</p>`}`;
}

/** Next to a purpose the visible text is short; the accessible name is the whole sentence. */
function withdrawForm(
  view: ConnectionsView,
  connection: AccountConnection,
  what: ConnectionPurpose | 'all',
  name: string,
  look: 'quiet' | 'danger',
): Html {
  const { connections } = textsFor(view.locale);
  const text = what === 'all' ? name : what.state === 'granted' ? connections.withdraw : connections.takeBack;
  return html`<form method="post" action="/connections/withdraw">${view.guard}
<input type="hidden" name="app_id" value="${connection.appId}"><input type="hidden" name="customer_id" value="${connection.customerId}"><input type="hidden" name="purpose" value="${what === 'all' ? what : what.purpose}">
<button class="${look} small" aria-label="${name}" aria-describedby="${idOf(connection)}-linked">${text}</button></form>`;
}

function receiptList(view: ConnectionsView, { partner, receipts }: AccountConnection): Html {
  const { connections } = textsFor(view.locale);
  return html`<details><summary>${connections.receipts} (${receipts.length})</summary>
<ul class="rows">${receipts.map((receipt) => receiptRow(view, partner, receipt))}</ul></details>`;
}

function receiptRow({ locale, zone }: ConnectionsView, partner: string, receipt: ConsentReceipt): Html {
  const { connections, purposes: textsOf } = textsFor(locale);
  const purposes = textsOf(partner);
  const facts = [
    connections.recorded(formatMoment(locale, receipt.grantedAt, zone)),
    receipt.termsVersion ? connections.termsVersion(nameInText(receipt.termsVersion)) : undefined,
    receipt.privacyPolicyVersion
      ? connections.privacyVersion(nameInText(receipt.privacyPolicyVersion))
      : undefined,
  ].filter((fact) => fact !== undefined);
  return html`<li class="row"><div>
<p><code>${receipt.id}</code></p>
<p class="small">${facts.join(' · ')}</p>
<p class="small">${receipt.purposes.map((item, at) => html`${at > 0 && ', '}${item.status === 'revoked' ? html`<del>${purposes[item.purpose].name}</del>` : purposes[item.purpose].name}`)}</p>
</div></li>`;
}
