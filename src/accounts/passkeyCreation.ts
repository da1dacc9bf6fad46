import { isTransient } from '../database/sqlState.js';
import { passkeys } from '../../entities/PasskeyEntity.js';
import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import { generateRegistrationOptions, verifyRegistrationResponse } from '@simplewebauthn/server';
import type { Transaction } from '../database/Transaction.js';
import type { AccountServices } from './AccountServices.js';
import { parsePasskeyAnswer } from './parsePasskeyAnswer.js';
import { passkeySite } from './passkeySite.js';

type VerifiedCredential = NonNullable<
  Awaited<ReturnType<typeof verifyRegistrationResponse>>['registrationInfo']
>['credential'];

/** The ways to reach an authenticator that WebAuthn Level 3 names. */
const TRANSPORTS = ['ble', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const;

export interface PasskeyCredential extends Pick<VerifiedCredential, 'id' | 'publicKey' | 'counter'> {
  transports: (typeof TRANSPORTS)[number][];
}

/** Options with which a browser creates a passkey for the account. */
export async function passkeyCreation(
  services: AccountServices,
  person: { accountId: string; email: string },
  challenge: string,
): Promise<object> {
  const own = { account_id: person.accountId };
  const existing = await passkeys.findAll(services.database, ['credential_id'], own);
  return generateRegistrationOptions({
    rpName: 'Partner Consent',
    rpID: passkeySite(services).rpID,
    userName: person.email,
    userID: new Uint8Array(Buffer.from(person.accountId)),
    challenge: new Uint8Array(Buffer.from(challenge, 'base64url')),
    excludeCredentials: existing.map(({ credential_id: id }) => ({ id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

/**
 * The passkey that a browser created; undefined when its answer is invalid (the library throws on every kind
 * of forgery).
 */
export async function readNewPasskey(
  services: AccountServices,
  answer: string,
  isOurChallenge: (challenge: string) => Promise<boolean>,
): Promise<PasskeyCredential | undefined> {
  const response = parsePasskeyAnswer<RegistrationResponseJSON>(answer);
  const transports = response && knownTransports(response.response.transports);
  if (response === undefined || transports === undefined) return undefined;
  const { origin, rpID } = passkeySite(services);
  try {
    const { registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: isOurChallenge,
      expectedOrigin: origin,
      expectedRPID: rpID,
      requireUserVerification: true,
    });
    const credential = registrationInfo?.credential;
    // The library takes the id from the attestation, and does not compare it with the answer's.
    return credential?.id === response.id ? { ...credential, transports } : undefined;
  } catch (error) {
    if (isTransient(error)) throw error;
    return undefined;
  }
}

/** Those of an answer's transports that are known; undefined when they are not a list of texts. */
function knownTransports(sent: unknown = []): PasskeyCredential['transports'] | undefined {
  const isList = Array.isArray(sent) && sent.every((name) => typeof name === 'string');
  return isList ? TRANSPORTS.filter((name) => sent.includes(name)) : undefined;
}

/** Stores a passkey for the account. @returns false when it is already stored */
export async function insertPasskey(
  tx: Transaction,
  { clock }: AccountServices,
  accountId: string,
  credential: PasskeyCredential,
  label: string,
): Promise<boolean> {
  const kept = await passkeys.insertNew(tx, {
    credential_id: credential.id,
    account_id: accountId,
    public_key: Buffer.from(credential.publicKey),
    counter: credential.counter,
    transports: credential.transports,
    label,
    created_at: clock(),
  });
  return kept !== undefined;
}
