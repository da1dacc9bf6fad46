import { isTransient } from '../database/sqlState.js';
import { passkeys } from '../../entities/PasskeyEntity.js';
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { generateAuthenticationOptions, verifyAuthenticationResponse } from '@simplewebauthn/server';
import { queueMail } from '../mail/queueMail.js';
import type { AccountSession } from './AccountSession.js';
import type { AccountServices } from './AccountServices.js';
import type { ChangingSession } from './changeAccount.js';
import { changeAccount } from './changeAccount.js';
import { issueToken, takeToken } from './accountToken.js';
import { parsePasskeyAnswer } from './parsePasskeyAnswer.js';
import { insertPasskey, passkeyCreation, readNewPasskey } from './passkeyCreation.js';
import { passkeySite } from './passkeySite.js';

/** A challenge that works once, within five minutes: for the account, or with null for any account. */
export function newChallenge(services: AccountServices, accountId: string | null): Promise<string> {
  return services.database.transaction(null, (tx) =>
    issueToken(tx, services.clock(), { kind: 'passkey_challenge', accountId, data: {} }),
  );
}

export async function isOurChallenge(
  services: AccountServices,
  accountId: string | null,
  challenge: string,
): Promise<boolean> {
  const spent = await services.database.transaction(null, (tx) =>
    takeToken(tx, services.clock(), 'passkey_challenge', challenge),
  );
  return spent !== undefined && spent.accountId === accountId;
}

/** Options with which a browser signs in with any of its passkeys for this site. */
export async function passkeySignInOptions(services: AccountServices): Promise<object> {
  const challenge = await newChallenge(services, null);
  return generateAuthenticationOptions({
    rpID: passkeySite(services).rpID,
    challenge: new Uint8Array(Buffer.from(challenge, 'base64url')),
    userVerification: 'required',
  });
}

/**
 * The passkey that answered a challenge of this service, with its account; undefined when the answer is
 * invalid.
 */
export async function signInWithPasskey(
  services: AccountServices,
  answer: string,
): Promise<{ accountId: string; passkeyId: string } | undefined> {
  const response = parsePasskeyAnswer<AuthenticationResponseJSON>(answer);
  if (response === undefined) return undefined;
  const key = { credential_id: response.id };
  const passkey = await passkeys.find(services.database, ['account_id', 'public_key', 'counter'], key);
  if (passkey === undefined) return undefined;
  const { origin, rpID } = passkeySite(services);
  const counter = await verifiedCounter({
    response,
    expectedChallenge: (challenge) => isOurChallenge(services, null, challenge),
    expectedOrigin: origin,
    expectedRPID: rpID,
    credential: {
      id: response.id,
      publicKey: new Uint8Array(passkey.public_key),
      counter: passkey.counter,
    },
    requireUserVerification: true,
  });
  if (counter === undefined) return undefined;
  await passkeys.update(services.database, key, { counter, last_used_at: services.clock() });
  return { accountId: passkey.account_id, passkeyId: response.id };
}

/**
 * The authenticator's new counter; undefined when the answer is invalid (the library throws on every kind of
 * forgery).
 *
 * @throws what the database threw while it was away
 */
async function verifiedCounter(
  options: Parameters<typeof verifyAuthenticationResponse>[0],
): Promise<number | undefined> {
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse(options);
    return verified ? authenticationInfo.newCounter : undefined;
  } catch (error) {
    if (isTransient(error)) throw error;
    return undefined;
  }
}

/** Options with which a browser creates a passkey for the account. */
export async function passkeyCreationOptions(
  services: AccountServices,
  account: AccountSession,
): Promise<object> {
  return passkeyCreation(services, account, await newChallenge(services, account.accountId));
}

/**
 * Stores a passkey that a browser created for the account, and mails the person.
 *
 * @returns whether it was stored
 */
export async function addPasskey(
  services: AccountServices,
  account: AccountSession,
  answer: string,
  label: string,
): Promise<boolean> {
  const credential = await readNewPasskey(services, answer, (challenge) =>
    isOurChallenge(services, account.accountId, challenge),
  );
  if (credential === undefined) return false;
  const { email: to, locale } = account;
  return changeAccount(services, account, async (tx) => {
    const isAdded = await insertPasskey(tx, services, account.accountId, credential, label);
    if (isAdded && account.emailVerified)
      await queueMail(tx, services, { kind: 'passkey_added', to, locale, data: { label } });
    return isAdded;
  });
}

export async function removePasskey(
  services: AccountServices,
  session: ChangingSession,
  id: string,
): Promise<void> {
  const own = { account_id: session.accountId, credential_id: id };
  await changeAccount(services, session, (tx) => passkeys.delete(tx, own));
}
