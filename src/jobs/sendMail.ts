import type { MailEntity } from '../../entities/MailEntity.js';
import { mails } from '../../entities/MailEntity.js';
import type { RowOf } from '../../entities/rowOf.js';
import type { Transaction } from '../database/Transaction.js';
import { dequeue, retryWork } from '../database/workQueue.js';
import type { MailTransport } from '../mail/createMailTransport.js';
import { isRefusedForGood } from '../mail/createMailTransport.js';
import type { Mail } from '../texts/Mail.js';
import { prepareMail } from '../accounts/prepareMail.js';
import type { WrittenMail } from '../mail/writeMail.js';
import type { AccountServices } from '../accounts/AccountServices.js';
import type { WorkOutcome } from './QueueWorker.js';

type MailRow = Pick<RowOf<MailEntity>, 'sealed' | 'attempts' | 'expires_at'>;

/** Waits after a failure, in seconds. The last one repeats until the mail is too old. */
const WAITS_SECONDS = [10, 60, 300, 1800, 3600];

/**
 * Sends a mail and deletes it. Without a mail server it is kept for the mailbox page, or waits for a server.
 *
 * The row is locked during sending. After a kill the mail is sent again under the same Message-ID.
 */
export async function sendMail(
  services: AccountServices,
  transport: MailTransport | undefined,
  mailId: string,
): Promise<WorkOutcome> {
  return services.database.transaction(null, async (tx) => {
    const row = await tx.one<MailRow>(LOCK, [mailId]);
    if (row === undefined)
      return (await tx.one(EXISTS, [mailId])) === undefined ? leave(tx, mailId) : 'locked';
    if (services.clock().getTime() >= Date.parse(row.expires_at)) return forget(tx, mailId);
    if (transport === undefined && !services.config.mailbox) return tryLater(tx, services, mailId, row);
    const written = await prepareMail(tx, services, JSON.parse(services.secrets.open(row.sealed)) as Mail);
    if (written === undefined) return forget(tx, mailId);
    if (transport === undefined) return keep(tx, services, mailId, written);
    try {
      await transport.send(mailId, written);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
      services.log.warn({ mail_id: mailId, attempts: row.attempts + 1, code }, 'a mail could not be sent');
      return isRefusedForGood(error) ? forget(tx, mailId) : tryLater(tx, services, mailId, row);
    }
    return forget(tx, mailId);
  });
}

const LOCK = `SELECT sealed, attempts, expires_at FROM mails WHERE mail_id = $1 AND sent_at IS NULL
               FOR UPDATE SKIP LOCKED`;
const EXISTS = 'SELECT 1 FROM mails WHERE mail_id = $1 AND sent_at IS NULL';

async function leave(tx: Transaction, mailId: string): Promise<WorkOutcome> {
  await dequeue(tx, 'mail', mailId);
  return 'done';
}

async function forget(tx: Transaction, mailId: string): Promise<WorkOutcome> {
  await mails.delete(tx, { mail_id: mailId });
  return leave(tx, mailId);
}

async function keep(
  tx: Transaction,
  { secrets, clock }: AccountServices,
  mailId: string,
  written: WrittenMail,
): Promise<WorkOutcome> {
  const sealed = secrets.seal(JSON.stringify(written));
  await mails.update(tx, { mail_id: mailId }, { sealed, sent_at: clock() });
  return leave(tx, mailId);
}

/** The token of a reset mail commits with this; the next attempt replaces it. */
async function tryLater(
  tx: Transaction,
  { clock }: AccountServices,
  mailId: string,
  { attempts }: MailRow,
): Promise<WorkOutcome> {
  const wait = WAITS_SECONDS[Math.min(attempts, WAITS_SECONDS.length - 1)] ?? 3600;
  await mails.update(tx, { mail_id: mailId }, { attempts: attempts + 1 });
  await retryWork(tx, 'mail', mailId, new Date(clock().getTime() + wait * 1000));
  return 'done';
}
