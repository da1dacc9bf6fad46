import { createHash, randomBytes } from 'node:crypto';

/** A secret of 256 random bits, base64url: 43 characters. */
export function newSecretToken(): string {
  return randomBytes(32).toString('base64url');
}

/** How such a secret is stored. It has enough entropy of its own: no salt, no stretching. */
export function hashSecretToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
