import { readFile } from 'node:fs/promises';
import { ConfigError } from './config.js';

/**
 * What the JSON of a file says.
 *
 * @param setting the one that names the file
 * @throws ConfigError naming the setting, for what cannot be read, is no JSON or is not what `parse` takes
 */
export async function readSettingFile<T>(
  setting: string,
  file: string,
  parse: (given: unknown) => T,
): Promise<T> {
  try {
    return parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    throw new ConfigError([`${setting}: ${error instanceof Error ? error.message : String(error)}`]);
  }
}
