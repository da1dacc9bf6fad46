import { configFrom, dataDirOf, settingOf } from '../config.js';
import type { Config, Environment } from '../config.js';
import { keptSecrets } from './keptSecrets.js';

/**
 * The configuration of an environment. In development it has the secrets kept in `DATA_DIR`.
 *
 * @throws ConfigError naming the settings to change
 */
export async function readConfig(env: Environment): Promise<Config> {
  const isProduction = settingOf(env, 'NODE_ENV') === 'production';
  return configFrom(env, isProduction ? undefined : await keptSecrets(dataDirOf(env)));
}
