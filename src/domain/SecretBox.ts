import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts secrets that must be used again (webhook signing secrets, stored replays): AES-256-GCM (NIST SP
 * 800-38D) under keys derived by HKDF (RFC 5869) from `SECRETS_KEY`. The first key seals, every key opens.
 */
export class SecretBox {
  private readonly keys: readonly [DerivedKeys, ...DerivedKeys[]];

  /** @param others former keys: they open and verify, and seal nothing */
  constructor(secretsKey: string, others: readonly string[] = []) {
    this.keys = [deriveAll(secretsKey), ...others.map(deriveAll)];
  }

  seal(plaintext: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.keys[0].seal, nonce);
    const body = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64');
  }

  /** @throws Error when no key sealed the text, or the text was changed */
  open(sealed: string): string {
    const bytes = Buffer.from(sealed, 'base64');
    for (const { seal } of this.keys) {
      const plaintext = openWith(seal, bytes);
      if (plaintext !== undefined) return plaintext;
    }
    throw new Error('The text was sealed under another SECRETS_KEY, or changed.');
  }

  /** Seals again under the first key; undefined when that sealed it already. @throws Error as `open` does */
  reseal(sealed: string): string | undefined {
    if (openWith(this.keys[0].seal, Buffer.from(sealed, 'base64')) !== undefined) return undefined;
    return this.seal(this.open(sealed));
  }

  /**
   * A keyed digest, base64url, for values that only the service makes: cursors, cookies, derived passwords.
   */
  mac(purpose: string, text: string): string {
    return digest(this.keys[0].mac, purpose, text);
  }

  /** The digest under each key, the first key's first, for a lookup by digest. */
  macs(purpose: string, text: string): string[] {
    return this.keys.map(({ mac }) => digest(mac, purpose, text));
  }

  /** Whether `mac` is the text's digest under any key, in constant time. */
  verifyMac(purpose: string, text: string, mac: string): boolean {
    return this.macs(purpose, text)
      .map((known) => equalInConstantTime(known, mac))
      .includes(true);
  }
}

interface DerivedKeys {
  seal: Buffer;
  mac: Buffer;
}

function deriveAll(secretsKey: string): DerivedKeys {
  return { seal: derive(secretsKey, 'consent:seal'), mac: derive(secretsKey, 'consent:mac') };
}

function digest(key: Buffer, purpose: string, text: string): string {
  return createHmac('sha256', key).update(`${purpose}\0${text}`).digest('base64url');
}

function openWith(key: Buffer, bytes: Buffer): string | undefined {
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const body = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
  try {
    return Buffer.concat([body, decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}

function derive(secretsKey: string, info: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secretsKey, 'partner-consent-profile-service', info, 32));
}

/** Compares two texts. Its time does not depend on where they differ. */
export function equalInConstantTime(a: string, b: string): boolean {
  const [left, right] = [a, b].map((text) => createHmac('sha256', 'compare').update(text).digest());
  return left !== undefined && right !== undefined && timingSafeEqual(left, right);
}
