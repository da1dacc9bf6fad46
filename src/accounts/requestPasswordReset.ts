import { addressBlock } from '../domain/addressBlock.js';
import { normalizedEmail } from '../domain/normalizedEmail.js';
import { queueMail } from '../mail/queueMail.js';
import type { AccountServices } from './AccountServices.js';
import { Throttle } from './Throttle.js';
import type { Locale } from '../texts/locale.js';

const BY_ADDRESS = { name: 'reset_address', most: 20, windowSeconds: 3600 } as const;
const BY_EMAIL = { name: 'reset_email', most: 5, windowSeconds: 3600 } as const;

/**
 * Queues a mail with a link to set a new password. The account of the address is looked up when the mail is
 * written. An address with too many requests gets the same answer and no mail.
 *
 * @returns seconds to wait after too many requests from one network, else 0
 */
export async function requestPasswordReset(
  services: AccountServices,
  asked: { email: string; address: string; locale: Locale },
): Promise<number> {
  const retryAfterSeconds = await new Throttle(services, BY_ADDRESS).take(addressBlock(asked.address));
  if (retryAfterSeconds > 0) return retryAfterSeconds;
  const to = normalizedEmail(asked.email);
  if (to === undefined || (await new Throttle(services, BY_EMAIL).take(to)) > 0) return 0;
  await services.database.transaction(null, (tx) =>
    queueMail(tx, services, { kind: 'reset_password', to, locale: asked.locale, data: {} }),
  );
  return 0;
}
