import type { MailEntity } from '../../../entities/MailEntity.js';
import type { RowOf } from '../../../entities/rowOf.js';
import type { Response } from 'express';
import express from 'express';
import { sendMail } from '../../jobs/sendMail.js';
import type { WrittenMail } from '../../mail/writeMail.js';
import { queryText } from '../../http/formValues.js';
import type { Html } from '../../html/html.js';
import { html } from '../../html/html.js';
import { sendPage, sendPageJson } from '../../html/sendPage.js';
import type { AccountServices } from '../../accounts/AccountServices.js';

/** A mail that would have been sent, as shown by `GET /dev/mailbox`. */
interface KeptMail extends WrittenMail {
  id: string;
  sentAt: string;
}

/**
 * The mails of a development service without a mail server, newest first: a page for people, JSON for
 * programs (`Accept: application/json`). `to` filters by recipient. The path does not exist in production.
 */
export function mailboxRouter(services: AccountServices): express.Router {
  const router = express.Router();
  if (!services.config.mailbox) return router;
  router.get('/dev/mailbox', async (request, response) => {
    const to = queryText(request, 'to')?.toLowerCase();
    await sendPending(services);
    const mails = (await readMails(services)).filter((mail) => to === undefined || mail.to === to);
    if (request.accepts(['html', 'json']) === 'json')
      return sendPageJson(response, 200, { data: mails.map(mailData) });
    sendMails(response, mails);
  });
  return router;
}

/** A worker writes the mails. Those still pending are written now. */
async function sendPending(services: AccountServices): Promise<void> {
  const pending = await services.database.read<{ mail_id: string }>({
    name: 'mailbox_pending',
    text: 'SELECT mail_id FROM mails WHERE sent_at IS NULL ORDER BY mail_id LIMIT 100',
  });
  for (const { mail_id: id } of pending) await sendMail(services, undefined, id);
}

async function readMails({ database, secrets }: AccountServices): Promise<KeptMail[]> {
  const rows = await database.read<RowOf<MailEntity> & { sent_at: string }>({
    name: 'mailbox_list',
    text: 'SELECT mail_id, sealed, sent_at FROM mails WHERE sent_at IS NOT NULL ORDER BY mail_id DESC LIMIT 100',
  });
  return rows.map((row) => ({
    ...(JSON.parse(secrets.open(row.sealed)) as WrittenMail),
    id: row.mail_id,
    sentAt: row.sent_at,
  }));
}

function mailData(mail: KeptMail): object {
  return {
    id: mail.id,
    to: mail.to,
    subject: mail.subject,
    text: mail.text,
    sent_at: mail.sentAt,
    link: linkIn(mail) ?? null,
    code: /^\d{6}$/m.exec(mail.text)?.[0] ?? null,
  };
}

function linkIn({ text }: WrittenMail): string | undefined {
  return /^https?:\/\/\S+\?token=\S+$/m.exec(text)?.[0];
}

function sendMails(response: Response, mails: readonly KeptMail[]): void {
  sendPage(response, 200, {
    locale: 'en',
    title: 'Mailbox',
    width: 'wide',
    body: html`<h1>Mailbox</h1>
<p class="lead">This service has no mail server (<code>SMTP_URL</code>). These mails would have been sent.</p>
${mails.length === 0 && html`<p>None so far.</p>`}
${mails.map(mailCard)}`,
  });
}

function mailCard(mail: KeptMail): Html {
  return html`<article class="card" aria-labelledby="${mail.id}">
<h2 id="${mail.id}">${mail.subject}</h2>
<p class="small">${mail.to} · ${mail.sentAt}</p>
<div class="letter" lang="${mail.language}">${mail.text.split('\n').map((line) => html`<p>${lineOf(line)}</p>`)}</div>
</article>`;
}

function lineOf(line: string): Html {
  return /^https?:\/\/\S+$/.test(line) ? html`<a href="${line}">${line}</a>` : html`${line}`;
}
