import { listSigningKeys, revokeSigningKey } from '../oauth/signingKeys.js';
import { operate } from './operate.js';
import { secretBoxOf } from './secretBoxOf.js';

const USAGE = `npm run keys:revoke [-- --key=KEY_ID]

Takes a signing key that leaked out of /oauth/jwks, at once in every process, for ever: what it signed is no longer verifiable. ID tokens that it
signed are refused, and signed receipts have to be asked for again. Where it is the only key, a new one is made that signs at once. Without a
key it tells the keys, the one that signs first. SECRETS_KEY is that of the service.`;

await operate({
  words: 'keys revoke',
  usage: USAGE,
  options: { key: { type: 'string' } },
  async run(database, { key: kid }) {
    const services = { database, secrets: await secretBoxOf(process.env), clock: () => new Date() };
    if (typeof kid !== 'string') {
      const kids = await listSigningKeys(services);
      return { text: kids.join('\n'), data: { keys: kids } };
    }
    const signer = await revokeSigningKey(services, kid);
    if (signer === undefined) throw new TypeError(`There is no signing key ${kid}.`);
    return { text: `The key ${kid} is gone; ${signer} signs.`, data: { revoked: kid, signs: signer } };
  },
});
