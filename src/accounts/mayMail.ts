import type { AccountServices } from './AccountServices.js';
import { Throttle } from './Throttle.js';

/** Limit of mails that prove one address. Further mails are not sent; the answer is the same. */
const MAIL_RULE = { name: 'sign_up_mail', most: 10, windowSeconds: 3600 } as const;

/** Whether another mail to prove this address may be sent, whichever account claims it. Counts it. */
export async function mayMail(services: AccountServices, email: string): Promise<boolean> {
  return (await new Throttle(services, MAIL_RULE).take(email)) === 0;
}
