import { keptSecrets } from '../keptSecrets.js';
import { SecretBox } from '../domain/SecretBox.js';
import { PUBLISHED_AHEAD_MS, rotateSigningKey } from '../oauth/signingKeys.js';
import { operate } from './operate.js';

const USAGE = `npm run keys:rotate

Makes a new key for signing ID tokens and consent receipts. Every process shows it in /oauth/jwks within a minute and signs with it
ten minutes later; what older keys signed stays verifiable. SECRETS_KEY is that of the service.`;

await operate({
  words: 'keys rotate',
  usage: USAGE,
  options: {},
  async run(database) {
    const secrets = new SecretBox(await secretsKey());
    const kid = await rotateSigningKey({ database, secrets, clock: () => new Date() });
    const minutes = PUBLISHED_AHEAD_MS / 60_000;
    return {
      text: `The key ${kid} is made; it signs in ${minutes} minutes.`,
      data: { kid, signs_in_minutes: minutes },
    };
  },
});

async function secretsKey(): Promise<string> {
  const { SECRETS_KEY, NODE_ENV, DATA_DIR } = process.env;
  if (SECRETS_KEY) return SECRETS_KEY;
  if (NODE_ENV === 'production') throw new TypeError('SECRETS_KEY is missing.');
  return (await keptSecrets(DATA_DIR ?? '.data')).secretsKey;
}
