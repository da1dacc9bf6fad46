import { replacing } from './replacing.js';

/** Consent is tested on a head that is not locked, a moment before the items get their places. */
export const load = replacing(
  '/commands/customerHead.js',
  'ORDER BY h.customer_id ${lock} OF h`',
  'AND pg_sleep(0.003) IS NOT NULL ORDER BY h.customer_id`',
);
