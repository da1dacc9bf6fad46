import { textsFor } from '../texts/textsFor.js';
import type { Mail } from '../texts/Mail.js';

/** A mail as it is sent: plain text, so that what a person reads is all there is. */
export interface WrittenMail {
  to: string;
  subject: string;
  text: string;
  /** The language of the text. */
  language: string;
}

/** Writes a mail in its recipient's language. */
export function writeMail(mail: Mail, baseUrl: string): WrittenMail {
  return writtenMail(mail, textsFor(mail.locale).mail.write(mail, baseUrl), baseUrl);
}

/** A mail of these words to the recipient of another, with the footer of all mails. */
export function writtenMail(
  { to, locale }: Pick<Mail, 'to' | 'locale'>,
  { subject, lines }: { subject: string; lines: readonly string[] },
  baseUrl: string,
): WrittenMail {
  const text = [...lines, textsFor(locale).mail.footer(baseUrl)].join('\n\n');
  return { to, subject, text, language: locale };
}
