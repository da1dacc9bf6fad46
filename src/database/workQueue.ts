import type { Transaction } from './Transaction.js';
import { signalWork } from './workSignal.js';

/** Queues of background work. The subject is the id of the row that a worker locks. */
export type Queue =
  | 'customer'
  | 'workflow'
  | 'outbox'
  | 'delivery'
  | 'learning'
  | 'connection_session'
  | 'mail'
  | 'account'
  | 'app_erasure';

/** Replaces the app id for work of an account, which has no app. */
export const OF_ACCOUNTS = 'accounts';

/** Replaces the app id for work that outlives its app. */
export const OF_OPERATORS = 'operators';

/**
 * Makes a subject visible to workers after the commit; a waiting one keeps the earlier time. Lock the
 * subject's own row first: a worker that empties the subject holds that lock until it has removed this row
 * and committed.
 *
 * @param now by the clock of this process; workers do not wait for one that is ahead of the database's
 */
export function enqueue(tx: Transaction, queue: Queue, subjects: readonly string[], now: Date): void {
  insert(tx, queue, subjects, now, READY_NOW);
}

/** The same for work of a later time. */
export function enqueueAt(tx: Transaction, queue: Queue, subjects: readonly string[], readyAt: Date): void {
  insert(tx, queue, subjects, readyAt, READY_AT);
}

const insertion = (readyAt: string): string => `INSERT INTO work_queue (app_id, queue, subject, ready_at)
  SELECT $1, $2, subject, ${readyAt} FROM unnest($3::text[]) AS subject ORDER BY subject
    ON CONFLICT DO NOTHING`;

const READY_AT = insertion('$4::timestamptz');
const READY_NOW = insertion('least($4::timestamptz, now())');

function insert(
  tx: Transaction,
  queue: Queue,
  subjects: readonly string[],
  readyAt: Date,
  statement: string,
): void {
  if (subjects.length === 0) return;
  tx.send(statement, [ownerOf(tx, queue), queue, subjects, readyAt]);
  tx.afterCommit(() => signalWork(queue));
}

/** Removes a finished subject from a queue. */
export async function dequeue(tx: Transaction, queue: Queue, subject: string): Promise<void> {
  await tx.execute('DELETE FROM work_queue WHERE app_id = $1 AND queue = $2 AND subject = $3', [
    ownerOf(tx, queue),
    queue,
    subject,
  ]);
}

/** Delays a subject whose work went well and is not over, for instance until its next day. */
export async function postpone(tx: Transaction, queue: Queue, subject: string, readyAt: Date): Promise<void> {
  await tx.execute(
    'UPDATE work_queue SET ready_at = $4, attempts = 0 WHERE app_id = $1 AND queue = $2 AND subject = $3',
    [ownerOf(tx, queue), queue, subject, readyAt],
  );
}

/** Delays a subject whose work failed. It counts as stuck until its work goes well. */
export async function retryWork(
  tx: Transaction,
  queue: Queue,
  subject: string,
  readyAt: Date,
): Promise<void> {
  await tx.execute(RETRY.text, [ownerOf(tx, queue), queue, subject, readyAt]);
}

export const RETRY = {
  name: 'retry_work',
  text: `UPDATE work_queue SET ready_at = $4, attempts = attempts + 1
          WHERE app_id = $1 AND queue = $2 AND subject = $3`,
};

function ownerOf(tx: Transaction, queue: Queue): string | null {
  if (queue === 'app_erasure') return OF_OPERATORS;
  return queue === 'mail' || queue === 'account' ? OF_ACCOUNTS : tx.appId;
}
