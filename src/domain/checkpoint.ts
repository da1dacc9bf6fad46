import { createPrivateKey, createPublicKey, hkdfSync, sign, verify } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { canonicalJson } from './canonicalJson.js';

/** The last record of an app's ledger at a moment, with its hash. */
export interface Checkpoint {
  app_id: string;
  sequence: number;
  hash: string;
  at: string;
}

/** The PKCS #8 prefix of a private Ed25519 key (RFC 8410, 7), before its 32 bytes. */
const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The Ed25519 key (RFC 8032) derived from a secret of 32 characters or more. */
export function checkpointKey(secret: string): KeyObject {
  const seed = Buffer.from(
    hkdfSync('sha256', secret, 'partner-consent-profile-service', 'consent:checkpoint', 32),
  );
  return createPrivateKey({ key: Buffer.concat([PKCS8_ED25519, seed]), format: 'der', type: 'pkcs8' });
}

/** The public key, base64url. It verifies checkpoints and is no secret. */
export function publicCheckpointKey(key: KeyObject): string {
  return createPublicKey(key).export({ format: 'jwk' }).x ?? '';
}

/** One line of an export: the checkpoint and its signature over the RFC 8785 text. */
export function signCheckpoint(key: KeyObject, checkpoint: Checkpoint): string {
  const signature = sign(null, Buffer.from(canonicalJson(checkpoint)), key).toString('base64url');
  return JSON.stringify({ ...checkpoint, signature });
}

/** The checkpoint of a line of an export; undefined when the line is malformed or the signature is wrong. */
export function readCheckpoint(publicKey: string, line: string): Checkpoint | undefined {
  try {
    const { signature, ...checkpoint } = JSON.parse(line) as Checkpoint & { signature: string };
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey }, format: 'jwk' });
    const isOurs = verify(
      null,
      Buffer.from(canonicalJson(checkpoint)),
      key,
      Buffer.from(signature, 'base64url'),
    );
    return isOurs ? checkpoint : undefined;
  } catch {
    return undefined;
  }
}
