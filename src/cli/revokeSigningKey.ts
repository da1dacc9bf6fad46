import { listSigningKeys, revokeSigningKey } from '../oauth/signingKeys.js';
import { operate } from './operate.js';
import { secretBoxOf } from './secretBoxOf.js';

const USAGE = `npm run keys:revoke [-- --key=KEY_ID]

Removes a leaked signing key from /oauth/jwks for good, at once in every process. What it signed can no longer
be verified: its ID tokens are refused, and its signed receipts have to be requested again. If it is the only
key, a new one is created and signs at once. Without --key it lists the keys, the signing one first.
SECRETS_KEY is that of the service.`;

await operate({
  words: 'keys revoke',
  usage: USAGE,
  options: { key: { type: 'string' } },
  async run(database, { key: kid }, clock) {
    const services = { database, secrets: await secretBoxOf(process.env), clock };
    if (typeof kid !== 'string') {
      const kids = await listSigningKeys(services);
      return { text: kids.join('\n'), data: { keys: kids } };
    }
    const signer = await revokeSigningKey(services, kid);
    if (signer === undefined) throw new TypeError(`There is no signing key ${kid}.`);
    return { text: `The key ${kid} is gone; ${signer} signs.`, data: { revoked: kid, signs: signer } };
  },
});
