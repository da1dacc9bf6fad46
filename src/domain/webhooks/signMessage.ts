import { createHmac } from 'node:crypto';
import { keyOfSecret } from './signingSecret.js';

/**
 * The signed content, `id.timestamp.body`, byte for byte as sent (Standard Webhooks 1.0.0, "Signature
 * scheme").
 */
export interface SignedContent {
  id: string;
  /** Unix time of this attempt in whole seconds. */
  timestampSeconds: number;
  body: string;
}

/**
 * The value of `webhook-signature`: `v1,` + base64 HMAC-SHA256 for each secret, separated by spaces. During a
 * rotation a receiver accepts the message with either secret.
 */
export function signMessage(secrets: readonly string[], content: SignedContent): string {
  const signed = `${content.id}.${content.timestampSeconds}.${content.body}`;
  return secrets
    .map((secret) => `v1,${createHmac('sha256', keyOfSecret(secret)).update(signed).digest('base64')}`)
    .join(' ');
}
