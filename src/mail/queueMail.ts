import { DAY_MS } from '../domain/timestamp.js';
import { mails } from '../../entities/MailEntity.js';
import type { Transaction } from '../database/Transaction.js';
import { enqueue } from '../database/workQueue.js';
import { newId } from '../domain/ids.js';
import type { SecretBox } from '../domain/SecretBox.js';
import type { Mail } from '../texts/Mail.js';

/** Time for which an undelivered mail is retried, in milliseconds. */
const TRIED_FOR_MS = DAY_MS;

/** Queues a mail that is sent after the transaction commits: at least once, with the same Message-ID. */
export async function queueMail(
  tx: Transaction,
  { secrets, clock }: { secrets: SecretBox; clock: () => Date },
  mail: Mail,
): Promise<void> {
  const now = clock();
  const id = newId('mail');
  const expiresAt = new Date(now.getTime() + TRIED_FOR_MS);
  const sealed = secrets.seal(JSON.stringify(mail));
  await mails.insert(tx, { mail_id: id, sealed, created_at: now, expires_at: expiresAt });
  enqueue(tx, 'mail', [id], now);
}
