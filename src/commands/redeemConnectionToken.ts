import { connectionLinks } from '../../entities/ConnectionLinkEntity.js';
import { IS_NULL } from '../../entities/Table.js';
import type { Transaction } from '../database/Transaction.js';
import { hashSecretToken, newSecretToken } from '../domain/secretToken.js';

export interface RedeemConnectionTokenInput {
  sessionId: string;
  clientToken: string;
}

/**
 * Redeems a link's token and binds the session to the browser, which keeps the returned secret as a cookie.
 * One statement decides: of two simultaneous redemptions one succeeds.
 *
 * @returns the browser's secret, stored as a hash only; undefined when the token is wrong or was redeemed
 *   before
 */
export async function redeemConnectionToken(
  tx: Transaction,
  clock: () => Date,
  input: RedeemConnectionTokenInput,
): Promise<string | undefined> {
  const browser = newSecretToken();
  const changed = await connectionLinks.update(
    tx,
    { session_id: input.sessionId, token_hash: hashSecretToken(input.clientToken), redeemed_at: IS_NULL },
    { browser_hash: hashSecretToken(browser), redeemed_at: clock() },
  );
  return changed === 1 ? browser : undefined;
}
