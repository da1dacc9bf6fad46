import type { Config } from '../config.js';
import type { Preparation } from './frontDoor.js';

/** A year. Subdomains are left out: they may not be the operator's. */
const POLICY = 'max-age=31536000';

/** Sends `Strict-Transport-Security` (RFC 6797) in production behind https; nothing elsewhere. */
export function strictTransport({
  environment,
  baseUrl,
}: Pick<Config, 'environment' | 'baseUrl'>): Preparation[] {
  if (environment !== 'production' || !baseUrl.startsWith('https:')) return [];
  return [(_request, response) => response.setHeader('Strict-Transport-Security', POLICY)];
}
