import { passkeys } from '../../entities/PasskeyEntity.js';
import { newId } from '../domain/ids.js';
import { normalizedEmail } from '../domain/normalizedEmail.js';
import type { AccountServices } from './AccountServices.js';
import type { Newcomer, SignUpResult } from './signUp.js';
import { mayMail } from './mayMail.js';
import { insertAccount, waitToSignUp } from './signUp.js';
import type { AccountToken } from './accountToken.js';
import { issueToken, takeToken } from './accountToken.js';
import { insertPasskey, passkeyCreation, readNewPasskey } from './passkeyCreation.js';

/**
 * Options with which a browser creates the passkey of a new account; undefined for an invalid address. The
 * account id is chosen here because the passkey contains it.
 */
export async function passkeySignUpOptions(
  services: AccountServices,
  address: string,
): Promise<object | undefined> {
  const email = normalizedEmail(address);
  if (email === undefined) return undefined;
  const accountId = newId('acc');
  const challenge = await services.database.transaction(null, (tx) =>
    issueToken(tx, services.clock(), {
      kind: 'passkey_sign_up',
      accountId: null,
      data: { account_id: accountId, email },
    }),
  );
  return passkeyCreation(services, { accountId, email }, challenge);
}

/** A sign-up: the browser's answer, its label, and the IP address of the request. */
export interface PasskeyNewcomer extends Newcomer {
  answer: string;
  label: string;
  address: string;
}

/**
 * Creates an account whose only credential is a passkey. Like every new account it only claims its address
 * (`signUp`).
 */
export async function signUpWithPasskey(
  services: AccountServices,
  { answer, label, address, ...newcomer }: PasskeyNewcomer,
): Promise<Exclude<SignUpResult, { kind: 'invalid' }> | { kind: 'refused' }> {
  const retryAfterSeconds = await waitToSignUp(services, address);
  if (retryAfterSeconds > 0) return { kind: 'throttled', retryAfterSeconds };
  let asked: AccountToken | undefined;
  const credential = await readNewPasskey(services, answer, async (challenge) => {
    asked = await services.database.transaction(null, (tx) =>
      takeToken(tx, services.clock(), 'passkey_sign_up', challenge),
    );
    return asked !== undefined;
  });
  const { account_id: accountId, email } = asked?.data ?? {};
  if (credential === undefined || accountId === undefined || email === undefined) return { kind: 'refused' };
  // Authenticators choose ids at random, so a known id means a forged answer.
  if (await passkeys.has(services.database, { credential_id: credential.id })) return { kind: 'refused' };
  const isMailed = await mayMail(services, email);
  return services.database.transaction(null, async (tx) => {
    await insertAccount(tx, services, { ...newcomer, accountId, email, passwordHash: null, isMailed });
    await insertPasskey(tx, services, accountId, credential, label);
    return { kind: 'signed_up' as const, accountId };
  });
}
