import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { queueMail } from '../mail/queueMail.js';
import type { AccountSession } from './AccountSession.js';
import type { AccountServices } from './AccountServices.js';
import { issueToken, takeToken } from './accountToken.js';

interface PasskeyRow extends Record<string, unknown> {
  credential_id: string;
  account_id: string;
  public_key: Buffer;
  counter: string | number;
  transports: string[];
}

/** A challenge that works once, for five minutes. */
async function newChallenge(
  services: AccountServices,
  accountId: string | null,
): Promise<Uint8Array<ArrayBuffer>> {
  const token = await services.database.transaction(null, (tx) =>
    issueToken(tx, services.clock(), { kind: 'passkey_challenge', accountId, data: {} }),
  );
  return new Uint8Array(Buffer.from(token, 'base64url'));
}

async function isOurChallenge(
  services: AccountServices,
  accountId: string | null,
  challenge: string,
): Promise<boolean> {
  const spent = await services.database.transaction(null, (tx) =>
    takeToken(tx, services.clock(), 'passkey_challenge', challenge),
  );
  return spent !== undefined && spent.accountId === accountId;
}

function siteOf({ config }: AccountServices): { origin: string; rpID: string } {
  const { origin, hostname } = new URL(config.baseUrl);
  return { origin, rpID: hostname };
}

/** What a browser needs to sign in with any passkey that it has for this site. */
export async function passkeySignInOptions(services: AccountServices): Promise<object> {
  const challenge = await newChallenge(services, null);
  return generateAuthenticationOptions({
    rpID: siteOf(services).rpID,
    challenge,
    userVerification: 'required',
  });
}

/**
 * The account of a passkey that answered one of our challenges; undefined when anything about it is wrong.
 */
export async function signInWithPasskey(
  services: AccountServices,
  answer: string,
): Promise<string | undefined> {
  const response = parsed<AuthenticationResponseJSON>(answer);
  if (response === undefined) return undefined;
  const [passkey] = await services.database.read<PasskeyRow>(FIND, [response.id]);
  if (passkey === undefined) return undefined;
  const { origin, rpID } = siteOf(services);
  const counter = await verifiedCounter({
    response,
    expectedChallenge: (challenge) => isOurChallenge(services, null, challenge),
    expectedOrigin: origin,
    expectedRPID: rpID,
    credential: {
      id: passkey.credential_id,
      publicKey: new Uint8Array(passkey.public_key),
      counter: Number(passkey.counter),
    },
    requireUserVerification: true,
  });
  if (counter === undefined) return undefined;
  await services.database.read(USE, [passkey.credential_id, counter, services.clock()]);
  return passkey.account_id;
}

/**
 * The authenticator's new counter; undefined when the answer does not hold (the library throws on every kind
 * of forgery).
 */
async function verifiedCounter(
  options: Parameters<typeof verifyAuthenticationResponse>[0],
): Promise<number | undefined> {
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse(options);
    return verified ? authenticationInfo.newCounter : undefined;
  } catch {
    return undefined;
  }
}

/** What a browser needs to make a passkey for the account. */
export async function passkeyCreationOptions(
  services: AccountServices,
  account: AccountSession,
): Promise<object> {
  const existing = await services.database.read<PasskeyRow>(OF_ACCOUNT, [account.accountId]);
  return generateRegistrationOptions({
    rpName: 'Partner Consent',
    rpID: siteOf(services).rpID,
    userName: account.email,
    userID: new Uint8Array(Buffer.from(account.accountId)),
    challenge: await newChallenge(services, account.accountId),
    excludeCredentials: existing.map(({ credential_id: id }) => ({ id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

/** Keeps a passkey that a browser made for the account, and tells the person by mail. Whether it did. */
export async function addPasskey(
  services: AccountServices,
  account: AccountSession,
  answer: string,
  label: string,
): Promise<boolean> {
  const response = parsed<RegistrationResponseJSON>(answer);
  if (response === undefined) return false;
  const credential = await verifiedCredential(services, account, response);
  if (credential === undefined) return false;
  return services.database.transaction(null, async (tx) => {
    const added = await tx.execute(ADD, [
      credential.id,
      account.accountId,
      Buffer.from(credential.publicKey),
      credential.counter,
      credential.transports ?? [],
      label,
      services.clock(),
    ]);
    if (added === 1 && account.emailVerified)
      await queueMail(tx, services, {
        kind: 'passkey_added',
        to: account.email,
        locale: account.locale,
        timeZone: null,
        data: { label },
      });
    return added === 1;
  });
}

async function verifiedCredential(
  services: AccountServices,
  account: AccountSession,
  response: RegistrationResponseJSON,
): Promise<
  | NonNullable<Awaited<ReturnType<typeof verifyRegistrationResponse>>['registrationInfo']>['credential']
  | undefined
> {
  const { origin, rpID } = siteOf(services);
  try {
    const { registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: (challenge) => isOurChallenge(services, account.accountId, challenge),
      expectedOrigin: origin,
      expectedRPID: rpID,
      requireUserVerification: true,
    });
    return registrationInfo?.credential;
  } catch {
    return undefined;
  }
}

export async function removePasskey(
  { database }: AccountServices,
  accountId: string,
  id: string,
): Promise<void> {
  await database.read(REMOVE, [accountId, id]);
}

function parsed<T extends { id: string }>(text: string): T | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isAnswer =
      typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string';
    return isAnswer ? (value as T) : undefined;
  } catch {
    return undefined;
  }
}

const FIND = {
  name: 'passkey_find',
  text: 'SELECT credential_id, account_id, public_key, counter, transports FROM passkeys WHERE credential_id = $1',
};

const OF_ACCOUNT = {
  name: 'passkeys_of_account',
  text: 'SELECT credential_id FROM passkeys WHERE account_id = $1',
};

const USE = {
  name: 'passkey_use',
  text: 'UPDATE passkeys SET counter = $2, last_used_at = $3 WHERE credential_id = $1',
};

const ADD = `
  INSERT INTO passkeys (credential_id, account_id, public_key, counter, transports, label, created_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (credential_id) DO NOTHING`;

const REMOVE = {
  name: 'passkey_remove',
  text: 'DELETE FROM passkeys WHERE account_id = $1 AND credential_id = $2',
};
