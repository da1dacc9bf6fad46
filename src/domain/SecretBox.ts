import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Keeps secrets that must be used again (webhook signing secrets, stored replays) readable to the service alone:
 * AES-256-GCM (NIST SP 800-38D) under keys derived by HKDF (RFC 5869) from `SECRETS_KEY`.
 */
export class SecretBox {
  private readonly key: Buffer;
  private readonly macKey: Buffer;

  constructor(secretsKey: string) {
    this.key = derive(secretsKey, 'consent:seal');
    this.macKey = derive(secretsKey, 'consent:mac');
  }

  seal(plaintext: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.key, nonce);
    const body = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64');
  }

  /** @throws Error when the text was not sealed under this key or was changed since */
  open(sealed: string): string {
    const bytes = Buffer.from(sealed, 'base64');
    const decipher = createDecipheriv('aes-256-gcm', this.key, bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    const body = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
    return Buffer.concat([body, decipher.final()]).toString('utf8');
  }

  /** A keyed digest for values that only the service may make (cursors, cookies, derived passwords), base64url. */
  mac(purpose: string, text: string): string {
    return createHmac('sha256', this.macKey).update(`${purpose}\0${text}`).digest('base64url');
  }

  /** Whether `mac` belongs to the text, in constant time. */
  verifyMac(purpose: string, text: string, mac: string): boolean {
    return equalInConstantTime(this.mac(purpose, text), mac);
  }
}

function derive(secretsKey: string, info: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secretsKey, 'partner-consent-profile-service', info, 32));
}

/** Compares two texts without telling by its time where they differ. */
export function equalInConstantTime(a: string, b: string): boolean {
  const [left, right] = [a, b].map((text) => createHmac('sha256', 'compare').update(text).digest());
  return left !== undefined && right !== undefined && timingSafeEqual(left, right);
}
