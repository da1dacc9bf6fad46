import { createHash } from 'node:crypto';
import { ServiceError } from '../errors.js';
import { canonicalJson } from './resolution/canonicalJson.js';

const PRINTABLE_ASCII = /^[\x20-\x7e]+$/;

/** How long a key replays its answer, in milliseconds. */
export const REPLAY_MS = 24 * 60 * 60 * 1000;

/**
 * The key a client sent, without the quotes of the IETF draft's structured form.
 *
 * @throws ServiceError `idempotency_key_required` when absent, `idempotency_key_invalid` outside 16 to 255
 *   printable ASCII characters
 */
export function readIdempotencyKey(sent: string | undefined): string {
  if (sent === undefined || sent === '')
    throw new ServiceError('idempotency_key_required', 'An Idempotency-Key is required.');
  const quoted = sent.startsWith('"') && sent.endsWith('"');
  const key = quoted ? sent.slice(1, -1) : sent;
  if (key.length >= 16 && key.length <= 255 && PRINTABLE_ASCII.test(key)) return key;
  throw new ServiceError(
    'idempotency_key_invalid',
    'The Idempotency-Key must be 16 to 255 printable ASCII characters.',
  );
}

/** SHA-256 over the operation's name and the RFC 8785 form of its input. Equal in GraphQL and REST. */
export function payloadHash(operation: string, input: unknown): string {
  return createHash('sha256')
    .update(`${operation}\n${canonicalJson(input)}`)
    .digest('hex');
}
