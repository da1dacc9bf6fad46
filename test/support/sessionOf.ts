import { randomUUID } from 'node:crypto';
import type { ChangingSession } from '../../src/accounts/changeAccount.js';

/** A new session of the account. */
export async function sessionOf(
  service: { sql: (text: string, values: unknown[]) => Promise<unknown> },
  accountId: string,
): Promise<ChangingSession> {
  const id = randomUUID();
  await service.sql(
    `INSERT INTO account_sessions (token_hash, account_id, created_at, expires_at)
      VALUES ($1, $2, now(), now() + interval '1 hour')`,
    [id, accountId],
  );
  return { accountId, id };
}
