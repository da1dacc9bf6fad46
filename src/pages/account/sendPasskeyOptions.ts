import { Throttle } from '../../accounts/Throttle.js';
import { addressBlock } from '../../domain/addressBlock.js';
import type { PageVisit } from '../../html/PageVisit.js';

/** Challenges that one network is given: each is a row. */
const RULE = { name: 'passkey_challenge', most: 100, windowSeconds: 15 * 60 } as const;

/** Answers a page's script with what the browser needs for a passkey; 422 where there is nothing. */
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
