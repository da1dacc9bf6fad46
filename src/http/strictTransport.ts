import type { Config } from '../config.js';
import type { Preparation } from './frontDoor.js';

/** A year, in seconds. Subdomains are not included, as they may not be the operator's. */
const POLICY = 'max-age=31536000';

/** Sends `Strict-Transport-Security` (RFC 6797), only in production behind https. */
export function strictTransport({
  environment,
  baseUrl,
}: Pick<Config, 'environment' | 'baseUrl'>): Preparation[] {
  if (environment !== 'production' || !baseUrl.startsWith('https:')) return [];
  return [(_request, response) => response.setHeader('Strict-Transport-Security', POLICY)];
}
