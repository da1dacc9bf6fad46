import { randomInt } from 'node:crypto';
import type { Transaction } from '../database/Transaction.js';
import type { SecretBox } from '../domain/SecretBox.js';
import { queueMail } from '../mail/queueMail.js';
import type { Locale } from '../texts/locale.js';
import { issueToken } from './accountToken.js';

interface ProofServices {
  secrets: SecretBox;
  clock: () => Date;
}

export interface ProofWanted {
  kind: 'verify_address' | 'change_address';
  accountId: string;
  /** The address to verify. */
  email: string;
  locale: Locale;
  /** The page of this service to open afterwards. */
  returnTo: string;
}

/**
 * Mails a link and a code that prove an address. Both work once and only for a person signed in to the
 * account. So if somebody makes an account with another person's address, that person's click does not verify
 * it.
 */
export async function mailAddressProof(
  tx: Transaction,
  services: ProofServices,
  wanted: ProofWanted,
): Promise<void> {
  const { kind, accountId, email, locale, returnTo } = wanted;
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  const data = { email, code: codeDigest(services.secrets, accountId, code), return_to: returnTo };
  const token = await issueToken(tx, services.clock(), { kind, accountId, data });
  await queueMail(tx, services, { kind, to: email, locale, data: { token, code, returnTo } });
}

/**
 * The stored form of a code: a MAC with the current key, because a code is too short for a plain hash. A
 * throttle protects it against guessing.
 */
function codeDigest(secrets: SecretBox, accountId: string, code: string): string {
  return secrets.mac(CODE, codeText(accountId, code));
}

/** The possible stored forms of the code, one per key. */
export function codeDigests(secrets: SecretBox, accountId: string, code: string): string[] {
  return secrets.macs(CODE, codeText(accountId, code));
}

const CODE = 'address_code';

function codeText(accountId: string, code: string): string {
  return `${accountId}\0${code}`;
}
