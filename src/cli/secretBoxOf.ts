import { keptSecrets } from '../keptSecrets.js';
import { SecretBox } from '../domain/SecretBox.js';

/**
 * The keys of `SECRETS_KEY` as the service reads them, the sealing key first; in development the key stored
 * in `DATA_DIR`.
 */
export async function secretsKeysOf(env: NodeJS.ProcessEnv): Promise<[string, ...string[]]> {
  const { SECRETS_KEY = '', NODE_ENV, DATA_DIR } = env;
  const [first, ...others] = SECRETS_KEY.split(',')
    .map((key) => key.trim())
    .filter((key) => key !== '');
  if (first !== undefined) return [first, ...others];
  if (NODE_ENV === 'production') throw new TypeError('SECRETS_KEY is missing.');
  return [(await keptSecrets(DATA_DIR ?? '.data')).secretsKey];
}

export async function secretBoxOf(env: NodeJS.ProcessEnv): Promise<SecretBox> {
  const [first, ...others] = await secretsKeysOf(env);
  return new SecretBox(first, others);
}
