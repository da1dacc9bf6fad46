import { hash, randomBytes } from 'node:crypto';

/** A secret of 256 random bits, base64url: 43 characters. */
export function newSecretToken(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * SHA-256 in hex: how tokens, codes, session ids and client secrets (all of 128 random bits and more) are
 * stored. They have enough entropy of their own: no salt, no stretching.
 */
export function hashSecretToken(token: string): string {
  return hash('sha256', token, 'hex');
}
