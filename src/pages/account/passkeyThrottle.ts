import type { Request } from 'express';
import { addressBlock } from '../../domain/addressBlock.js';
import type { AccountServices } from '../../accounts/AccountServices.js';
import { Throttle } from '../../accounts/Throttle.js';

/** Challenges that one network is given: each is a row. */
const RULE = { name: 'passkey_challenge', most: 100, windowSeconds: 15 * 60 } as const;

/** Seconds to wait when the network has had too many challenges, else 0. */
export function passkeyThrottle(services: AccountServices, request: Request): Promise<number> {
  return new Throttle(services, RULE).take(addressBlock(request.ip ?? ''));
}
