import type { AccountServices } from './AccountServices.js';
import { Throttle } from './Throttle.js';
import type { ProofWanted } from './addressProof.js';
import { mailAddressProof } from './addressProof.js';
import { mayMail } from './mayMail.js';

const RULE = { name: 'address_proof', most: 5, windowSeconds: 3600 } as const;

/**
 * Mails another link and code. The previous ones stop working.
 *
 * @returns seconds to wait after too many requests, else 0
 */
export async function requestAddressProof(services: AccountServices, wanted: ProofWanted): Promise<number> {
  const retryAfterSeconds = await new Throttle(services, RULE).take(wanted.accountId);
  if (retryAfterSeconds > 0) return retryAfterSeconds;
  // With the limit of the address used up by whoever claims it, nothing is sent, and the answer is the same.
  if (!(await mayMail(services, wanted.email))) return 0;
  await services.database.transaction(null, (tx) => mailAddressProof(tx, services, wanted));
  return 0;
}
