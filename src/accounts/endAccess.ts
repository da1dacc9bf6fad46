import type { Transaction } from '../database/Transaction.js';

/**
 * Ends every session and token of an account.
 *
 * @param also `passkeys`: removes its passkeys too, because another person may have created them
 */
export async function endAccess(
  tx: Transaction,
  accountId: string,
  also: { passkeys: boolean },
): Promise<void> {
  const tables = [
    'account_sessions',
    'graphiql_sessions',
    'account_tokens',
    ...(also.passkeys ? ['passkeys'] : []),
  ];
  for (const table of [...tables, 'oauth_artifacts'])
    await tx.execute(`DELETE FROM ${table} WHERE account_id = $1`, [accountId]);
}
