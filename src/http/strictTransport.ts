import type { Config } from '../config.js';
import type { Preparation } from './frontDoor.js';

/** A year. Other hosts below this one are not ours to decide about. */
const POLICY = 'max-age=31536000';

/** In production behind https: browsers never come by plain http again (RFC 6797). Elsewhere nothing. */
export function strictTransport({
  environment,
  baseUrl,
}: Pick<Config, 'environment' | 'baseUrl'>): Preparation[] {
  if (environment !== 'production' || !baseUrl.startsWith('https:')) return [];
  return [(_request, response) => response.setHeader('Strict-Transport-Security', POLICY)];
}
