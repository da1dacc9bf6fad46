import { hash, randomBytes } from 'node:crypto';

/** A secret of 256 random bits, base64url: 43 characters. */
export function newSecretToken(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * SHA-256 in hex, the stored form of tokens, codes, session ids and client secrets. They have 128 random bits
 * or more, so they need no salt and no stretching.
 */
export function hashSecretToken(token: string): string {
  return hash('sha256', token, 'hex');
}

/** A short id of a secret, safe to log, to tell which one is in use. */
export function fingerprint(secret: string): string {
  return hash('sha256', secret, 'hex').slice(0, 8);
}
