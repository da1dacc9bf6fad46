import { hash } from 'node:crypto';
import { DAY_MS } from './timestamp.js';
import { ServiceError } from '../errors.js';
import { canonicalJson } from './canonicalJson.js';

/** Characters of a key. */
export const MIN_KEY_LENGTH = 16;
export const MAX_KEY_LENGTH = 255;

const PRINTABLE_ASCII = /^[\x20-\x7e]+$/;

/** How long a key replays its answer, in milliseconds. */
export const REPLAY_MS = DAY_MS;

/**
 * The key a client sent, without the quotes of the IETF draft's structured form.
 *
 * @throws ServiceError `idempotency_key_required` when absent, `idempotency_key_invalid` when too short, too
 *   long or not of printable ASCII characters
 */
export function readIdempotencyKey(sent: string | undefined): string {
  if (sent === undefined || sent === '')
    throw new ServiceError('idempotency_key_required', 'An Idempotency-Key is required.');
  const quoted = sent.startsWith('"') && sent.endsWith('"');
  const key = quoted ? sent.slice(1, -1) : sent;
  if (key.length >= MIN_KEY_LENGTH && key.length <= MAX_KEY_LENGTH && PRINTABLE_ASCII.test(key)) return key;
  throw new ServiceError(
    'idempotency_key_invalid',
    `The Idempotency-Key must be ${MIN_KEY_LENGTH} to ${MAX_KEY_LENGTH} printable ASCII characters.`,
  );
}

/** SHA-256 over a name and the RFC 8785 form of a payload. `hashInSlices` gives the same for large ones. */
export function payloadHash(name: string, payload: unknown): string {
  return hash('sha256', `${name}\n${canonicalJson(payload)}`, 'hex');
}
