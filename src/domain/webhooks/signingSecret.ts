import { randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const KEY_BYTES = 32;

/** How long the previous secret also signs after a rotation (docs/webhooks.md#look-repeat-recover). */
export const ROTATION_OVERLAP_SECONDS = 24 * 60 * 60;

/** A new signing secret: `whsec_` + base64 of 32 random bytes. */
export function newSigningSecret(): string {
  return PREFIX + randomBytes(KEY_BYTES).toString('base64');
}

/** The HMAC key of a secret. @throws Error when the text is not a signing secret */
export function keyOfSecret(secret: string): Buffer {
  if (!secret.startsWith(PREFIX)) throw new Error('A signing secret begins with whsec_.');
  return Buffer.from(secret.slice(PREFIX.length), 'base64');
}

/** The decrypted secrets of an endpoint. */
export interface EndpointSecrets {
  current: string;
  previous?: string;
  previousExpiresAt?: string;
}

/** The secrets that are valid for signing at `now`, the current one first. */
export function secretsInForce(secrets: EndpointSecrets, now: Date): string[] {
  const { current, previous, previousExpiresAt } = secrets;
  if (previous === undefined || previousExpiresAt === undefined) return [current];
  return Date.parse(previousExpiresAt) > now.getTime() ? [current, previous] : [current];
}
