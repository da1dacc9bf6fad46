import type { StoredSession } from '../../domain/connectionSession.js';
import type { Html } from '../../html/html.js';
import { html } from '../../html/html.js';
import { messagePage } from '../../html/messagePage.js';
import { notice } from '../../html/notices.js';
import type { Page } from '../../html/renderPage.js';
import type { Locale } from '../../texts/locale.js';
import { formatMoment } from '../../texts/formatMoment.js';
import { textsFor } from '../../texts/textsFor.js';

/** The page of a session that no longer waits for a decision: the outcome and the next steps. */
export function endedPage(
  locale: Locale,
  partner: string,
  session: StoredSession,
  zone: string | null = null,
): Page {
  const { connect, common } = textsFor(locale);
  const close = html`<p class="hint">${common.closeWindow}</p>`;
  switch (session.status) {
    case 'authorized':
      return messagePage(
        locale,
        connect.approvedTitle,
        approved(locale, partner, session, zone),
        myConnections(locale, close),
      );
    case 'completed':
      return messagePage(
        locale,
        connect.completedTitle,
        html`<p>${connect.completed(partner)}</p>`,
        myConnections(locale, close),
      );
    case 'revoked':
      if (session.revoked_by === 'person' && session.withdrawn_purposes.length > 0)
        return messagePage(
          locale,
          connect.takenBackTitle,
          html`<p>${connect.takenBack(partner)}</p>`,
          myConnections(locale, close),
        );
      return session.revoked_by === 'person'
        ? messagePage(locale, connect.declinedTitle, html`<p>${connect.declined(partner)}</p>`, close)
        : messagePage(locale, connect.canceledTitle, html`<p>${connect.canceled(partner)}</p>`, close);
    default:
      return messagePage(locale, connect.expiredTitle, html`<p>${connect.expired(partner)}</p>`, close);
  }
}

function approved(locale: Locale, partner: string, session: StoredSession, zone: string | null): Html {
  const texts = textsFor(locale);
  const purposes = session.approved_purposes ?? [];
  return notice(
    'success',
    html`<p>${texts.connect.approved(partner)}</p><ul>${purposes.map((purpose) => html`<li>${texts.purposes(partner)[purpose].name}</li>`)}</ul><p>${texts.connect.approvedUntil(partner, formatMoment(locale, session.expires_at, zone))}</p>`,
  );
}

function myConnections(locale: Locale, close: Html): Html {
  return html`<div class="actions"><a class="button quiet" href="/connections">${textsFor(locale).connect.myConnections}</a></div>${close}`;
}
