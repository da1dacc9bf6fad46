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
  const { mail: texts } = textsFor(mail.locale);
  const { subject, lines } = texts.write(mail, baseUrl);
  return {
    to: mail.to,
    subject,
    text: [...lines, texts.footer(baseUrl)].join('\n\n'),
    language: mail.locale,
  };
}
