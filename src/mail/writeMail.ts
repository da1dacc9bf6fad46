import { nameInText } from '../domain/displayName.js';
import { textsFor } from '../texts/textsFor.js';
import type { Mail } from '../texts/Mail.js';

/** A mail to send, in plain text, so that the person reads all of its content. */
export interface WrittenMail {
  to: string;
  subject: string;
  text: string;
  /** The language of the text. */
  language: string;
}

/** Writes a mail in its recipient's language. */
export function writeMail(mail: Mail, baseUrl: string): WrittenMail {
  return writtenMail(mail, textsFor(mail.locale).mail.write(withPlainName(mail), baseUrl), baseUrl);
}

/** A mail may have been queued with a partner's name as it is stored. */
function withPlainName(mail: Mail): Mail {
  switch (mail.kind) {
    case 'approved':
      return { ...mail, data: { ...mail.data, partner: nameInText(mail.data.partner) } };
    case 'withdrawn':
      return { ...mail, data: { ...mail.data, partner: nameInText(mail.data.partner) } };
    default:
      return mail;
  }
}

/** Addresses a text to the recipient of a mail and adds the footer of all mails. */
export function writtenMail(
  { to, locale }: Pick<Mail, 'to' | 'locale'>,
  { subject, lines }: { subject: string; lines: readonly string[] },
  baseUrl: string,
): WrittenMail {
  const text = [...lines, textsFor(locale).mail.footer(baseUrl)].join('\n\n');
  return { to, subject, text, language: locale };
}
