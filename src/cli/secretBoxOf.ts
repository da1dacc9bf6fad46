import { configFrom, dataDirOf, settingOf } from '../config.js';
import type { Environment } from '../config.js';
import { keptSecrets } from '../start/keptSecrets.js';
import { SecretBox } from '../domain/SecretBox.js';

/**
 * The keys of `SECRETS_KEY` as the service reads them, the sealing key first; in development the key stored
 * in `DATA_DIR`.
 */
export async function secretsKeysOf(env: Environment): Promise<[string, ...string[]]> {
  const { secretsKey, otherSecretsKeys = [] } = configFrom({ SECRETS_KEY: env['SECRETS_KEY'] }).secrets;
  if (secretsKey !== '') return [secretsKey, ...otherSecretsKeys];
  if (settingOf(env, 'NODE_ENV') === 'production') throw new TypeError('SECRETS_KEY is missing.');
  return [(await keptSecrets(dataDirOf(env))).secretsKey];
}

export async function secretBoxOf(env: Environment): Promise<SecretBox> {
  const [first, ...others] = await secretsKeysOf(env);
  return new SecretBox(first, others);
}
