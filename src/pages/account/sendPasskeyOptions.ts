import type { Budget } from '../../accounts/Throttle.js';
import { spendFirst } from '../../accounts/Throttle.js';
import type { PageVisit } from '../../html/PageVisit.js';

/** Limits of challenges, because each is a database row. */
export const PASSKEY_RULES = {
  /** Per network, to sign up. */
  signUp: { name: 'passkey_sign_up', most: 100, windowSeconds: 15 * 60 },
  /** Per network, to sign in. */
  signIn: { name: 'passkey_sign_in', most: 100, windowSeconds: 15 * 60 },
  /** Per browser that signed in before, to sign in, whatever others on its network do. */
  device: { name: 'passkey_device', most: 10, windowSeconds: 15 * 60 },
} as const;

/**
 * Sends passkey options to a page's script; 422 when there are none.
 *
 * @param budgets the first that is not used up is spent
 */
export async function sendPasskeyOptions(
  visit: PageVisit,
  budgets: readonly Budget[],
  options: () => Promise<object | undefined>,
): Promise<void> {
  const wait = await spendFirst(visit.services, budgets);
  if (wait > 0) {
    visit.comeAgainIn(wait);
    return visit.sendJson(429, {});
  }
  const found = await options();
  visit.sendJson(found === undefined ? 422 : 200, found ?? {});
}
