import { PUBLISHED_AHEAD_MS, rotateSigningKey } from '../oauth/signingKeys.js';
import { operate } from './operate.js';
import { secretBoxOf } from './secretBoxOf.js';

const USAGE = `npm run keys:rotate

Creates a new key for signing ID tokens and consent receipts. Every process publishes it in /oauth/jwks within
a minute and signs with it ten minutes later. Signatures of older keys stay valid. SECRETS_KEY is that of the
service.`;

await operate({
  words: 'keys rotate',
  usage: USAGE,
  options: {},
  async run(database, _options, clock) {
    const secrets = await secretBoxOf(process.env);
    const kid = await rotateSigningKey({ database, secrets, clock });
    const minutes = PUBLISHED_AHEAD_MS / 60_000;
    return {
      text: `The key ${kid} is made; it signs in ${minutes} minutes.`,
      data: { kid, signs_in_minutes: minutes },
    };
  },
});
