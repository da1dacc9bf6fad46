import type { Transaction } from '../database/Transaction.js';

/**
 * Gives an account the address that it claims, unless another account has proved the address.
 *
 * @param accountId null: the newest account that claims the address
 */
export async function adoptClaim(tx: Transaction, email: string, accountId: string | null): Promise<void> {
  await tx.execute(
    `UPDATE accounts SET email = $1, claimed_email = NULL
      WHERE claimed_email = $1
        AND account_id = COALESCE($2, (SELECT account_id FROM accounts WHERE claimed_email = $1
                                        ORDER BY created_at DESC, account_id DESC LIMIT 1))
        AND NOT EXISTS (SELECT FROM accounts WHERE email = $1)`,
    [email, accountId],
  );
}
