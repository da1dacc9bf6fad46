import { createHmac } from 'node:crypto';
import { keyOfSecret } from './signingSecret.js';

/**
 * What a signature covers (Standard Webhooks 1.0.0, "Signature scheme"): `id.timestamp.body`, byte for byte
 * as sent.
 */
export interface SignedContent {
  id: string;
  /** Unix time in whole seconds of this attempt. */
  timestampSeconds: number;
  body: string;
}

/**
 * The value of `webhook-signature`: `v1,` + base64 HMAC-SHA256, one for each secret, separated by spaces, so
 * that a receiver accepts a message whichever secret of a rotation it knows.
 */
export function signMessage(secrets: readonly string[], content: SignedContent): string {
  const signed = `${content.id}.${content.timestampSeconds}.${content.body}`;
  return secrets
    .map((secret) => `v1,${createHmac('sha256', keyOfSecret(secret)).update(signed).digest('base64')}`)
    .join(' ');
}
