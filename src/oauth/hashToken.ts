import { hash } from 'node:crypto';

/**
 * SHA-256 in hex: how tokens, codes, session ids and client secrets (all of 128 random bits and more) are
 * stored.
 */
export function hashToken(token: string): string {
  return hash('sha256', token, 'hex');
}
