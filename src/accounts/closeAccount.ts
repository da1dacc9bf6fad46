import { accounts } from '../../entities/AccountEntity.js';
import { accountErasures } from '../../entities/AccountErasureEntity.js';
import { appMembers } from '../../entities/AppMemberEntity.js';
import type { Transaction } from '../database/Transaction.js';
import { enqueue } from '../database/workQueue.js';
import { newId } from '../domain/ids.js';
import { endAccess } from './endAccess.js';

/** Ends all access of an account and queues its erasure. @returns the id of the erasure */
export async function closeAccount(tx: Transaction, accountId: string, now: Date): Promise<string> {
  const erasure = newId('ers');
  await endAccess(tx, accountId, { passkeys: true });
  const own = { account_id: accountId };
  await appMembers.delete(tx, own);
  await accounts.update(tx, own, { ...CLOSED, email: `${accountId}@deleted.invalid`, updated_at: now });
  await accountErasures.insert(tx, { ...own, erasure_id: erasure, status: 'accepted', created_at: now });
  await enqueue(tx, 'account', [erasure], now);
  tx.toJournal({ at: now.toISOString(), kind: 'account_deleted', account_id: accountId });
  return erasure;
}

const CLOSED = {
  claimed_email: null,
  email_verified: false,
  password_hash: null,
  upstream_issuer: null,
  upstream_subject: null,
  time_zone: null,
};
