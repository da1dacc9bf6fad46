import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';

export interface PasskeyRequest {
  challenge: string;
  rp: { id?: string };
  user: { id: string };
}

/** What an authenticator would do: makes passkeys (WebAuthn, attestation `none`), and signs nothing. */
export class SoftAuthenticator {
  constructor(
    private readonly origin: string,
    private readonly credentialId: Buffer = randomBytes(32),
  ) {}

  /** The answer to `PublicKeyCredentialCreationOptions`, as a browser posts it. */
  create({ challenge, rp }: PasskeyRequest): string {
    const id = this.credentialId.toString('base64url');
    const clientData = { type: 'webauthn.create', challenge, origin: this.origin, crossOrigin: false };
    return JSON.stringify({
      id,
      rawId: id,
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: Buffer.from(JSON.stringify(clientData)).toString('base64url'),
        attestationObject: this.attestation(rp.id ?? '').toString('base64url'),
        transports: ['internal'],
      },
    });
  }

  private attestation(rpId: string): Buffer {
    const idLength = Buffer.alloc(2);
    idLength.writeUInt16BE(this.credentialId.length);
    const authData = Buffer.concat([
      createHash('sha256').update(rpId).digest(),
      // User present, user verified, attested credential data.
      Buffer.from([0x45]),
      Buffer.alloc(4),
      Buffer.alloc(16),
      idLength,
      this.credentialId,
      publicKey(),
    ]);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(authData.length);
    return Buffer.concat([
      Buffer.from([0xa3]),
      text('fmt'),
      text('none'),
      text('attStmt'),
      Buffer.from([0xa0]),
      text('authData'),
      Buffer.from([0x59]),
      length,
      authData,
    ]);
  }
}

/** A COSE key: EC2, ES256, P-256, x and y. */
function publicKey(): Buffer {
  const { x = '', y = '' } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({
    format: 'jwk',
  });
  const coordinate = (value: string) => [Buffer.from([0x58, 32]), Buffer.from(value, 'base64url')];
  return Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
    ...coordinate(x),
    Buffer.from([0x22]),
    ...coordinate(y),
  ]);
}

/** CBOR text of fewer than 24 bytes. */
function text(value: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)]);
}
