import type { Transaction } from '../database/Transaction.js';
import { hashSecretToken, newSecretToken } from '../domain/secretToken.js';

export interface RedeemConnectionTokenInput {
  sessionId: string;
  clientToken: string;
}

/**
 * Spends a link's token and binds the session to the browser that will keep the answer as a cookie. One
 * statement decides: of two redemptions at one moment one succeeds.
 *
 * @returns the browser's secret, stored as a hash only; undefined when the token is wrong or spent
 */
export async function redeemConnectionToken(
  tx: Transaction,
  clock: () => Date,
  input: RedeemConnectionTokenInput,
): Promise<string | undefined> {
  const browser = newSecretToken();
  const changed = await tx.execute(REDEEM, [
    input.sessionId,
    hashSecretToken(input.clientToken),
    hashSecretToken(browser),
    clock().toISOString(),
  ]);
  return changed === 1 ? browser : undefined;
}

const REDEEM = `
  UPDATE connection_links SET browser_hash = $3, redeemed_at = $4
   WHERE session_id = $1 AND token_hash = $2 AND redeemed_at IS NULL`;
