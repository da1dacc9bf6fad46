import { Throttle } from '../../accounts/Throttle.js';
import { addressBlock } from '../../domain/addressBlock.js';
import type { PageVisit } from '../../html/PageVisit.js';

/** Limit of challenges per network, because each is a database row. */
const RULE = { name: 'passkey_challenge', most: 100, windowSeconds: 15 * 60 } as const;

/** Sends passkey options to a page's script; 422 when there are none. */
export async function sendPasskeyOptions(
  visit: PageVisit,
  options: () => Promise<object | undefined>,
): Promise<void> {
  const wait = await new Throttle(visit.services, RULE).take(addressBlock(visit.address));
  if (wait > 0) {
    visit.comeAgainIn(wait);
    return visit.sendJson(429, {});
  }
  const found = await options();
  visit.sendJson(found === undefined ? 422 : 200, found ?? {});
}
