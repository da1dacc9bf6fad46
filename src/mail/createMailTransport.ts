import { createTransport } from 'nodemailer';
import type { Config } from '../config.js';
import type { WrittenMail } from './writeMail.js';

/** Sends mails through the operator's mail server. */
export interface MailTransport {
  send: (id: string, mail: WrittenMail) => Promise<void>;
  close: () => void;
}

const TIMEOUT_MS = 15_000;

/** The transport of `SMTP_URL`; undefined without one. */
export function createMailTransport({ secrets, mailFrom, baseUrl }: Config): MailTransport | undefined {
  if (secrets.smtpUrl === undefined) return undefined;
  const transporter = createTransport({
    url: secrets.smtpUrl,
    pool: true,
    maxConnections: 2,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const { hostname } = new URL(baseUrl);
  return {
    async send(id, mail) {
      await transporter.sendMail({
        from: mailFrom,
        to: { name: '', address: mail.to },
        subject: mail.subject,
        text: mail.text,
        messageId: `<${id}@${hostname}>`,
        headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': mail.language },
      });
    },
    close: () => transporter.close(),
  };
}

/**
 * Whether a mail server refused this recipient or this message permanently (RFC 5321, 4.2.1): a retry would
 * fail too. Refusals of the operator (its password, its address, relaying: RFC 3463, 5.7) may be mended, so
 * mails are kept until then.
 */
export function isRefusedForGood(error: unknown): boolean {
  const { responseCode = 0, command = '', response = '' } = error as SmtpFailure;
  if (responseCode < 500) return false;
  return OF_THIS_MAIL.has(command) && !/^\d{3}[ -]5\.7\./.test(response) && !/relay/i.test(response);
}

interface SmtpFailure {
  responseCode?: number;
  /** The command that was refused. */
  command?: string;
  response?: string;
}

const OF_THIS_MAIL: ReadonlySet<string> = new Set(['RCPT TO', 'DATA']);
