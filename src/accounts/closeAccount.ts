import type { Transaction } from '../database/Transaction.js';
import { enqueue } from '../database/workQueue.js';
import { newId } from '../domain/ids.js';
import { endAccess } from './endAccess.js';

/** Ends all access of an account and has it erased; the id under which that can be followed. */
export async function closeAccount(tx: Transaction, accountId: string, now: Date): Promise<string> {
  const erasure = newId('ers');
  await endAccess(tx, accountId, { passkeys: true });
  await tx.execute('DELETE FROM app_members WHERE account_id = $1', [accountId]);
  await tx.execute(CLOSE, [accountId, `${accountId}@deleted.invalid`, now]);
  await tx.execute(
    `INSERT INTO account_erasures (erasure_id, account_id, status, created_at)
      VALUES ($1, $2, 'accepted', $3)`,
    [erasure, accountId, now],
  );
  await enqueue(tx, 'account', [erasure], now);
  await tx.journal?.append({ at: now.toISOString(), kind: 'account_deleted', account_id: accountId });
  return erasure;
}

const CLOSE = `
  UPDATE accounts SET email = $2, claimed_email = NULL, email_verified = false, password_hash = NULL,
         upstream_issuer = NULL, upstream_subject = NULL, time_zone = NULL, updated_at = $3
   WHERE account_id = $1`;
