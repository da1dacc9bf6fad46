import { readFile } from 'node:fs/promises';
import { ConfigError } from './config.js';

/**
 * Reads and parses a JSON file.
 *
 * @param setting the setting that names the file
 * @throws ConfigError naming the setting, when the file cannot be read, is not JSON or is refused by `parse`
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
