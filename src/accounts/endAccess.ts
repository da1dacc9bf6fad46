import type { Transaction } from '../database/Transaction.js';

/**
 * Ends every session and token of an account, and removes its passkeys where another person may have made
 * them.
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
