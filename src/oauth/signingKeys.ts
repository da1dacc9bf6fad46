import { DAY_MS } from '../domain/timestamp.js';
import type { RowOf } from '../../entities/rowOf.js';
import type { SigningKeyEntity } from '../../entities/SigningKeyEntity.js';
import { signingKeys } from '../../entities/SigningKeyEntity.js';
import { randomBytes } from 'node:crypto';
import { LOCK_NUMBERS } from '../database/lockNumbers.js';
import { openSealedKey, requireOneThatOpens } from '../database/sealedKeys.js';
import type { JWK } from 'jose';
import { CompactSign, exportJWK, generateKeyPair, importJWK } from 'jose';
import type { Transaction } from '../database/Transaction.js';
import type { AccountServices } from '../accounts/AccountServices.js';

const ALGORITHM = 'ES256';

/**
 * Time for which a new key is published before it signs: by then every node publishes it, and clients that
 * cache `/oauth/jwks` have fetched it again.
 */
export const PUBLISHED_AHEAD_MS = 10 * 60_000;

/**
 * The service's keys, the same on every node: private JWKs, the signing one first, and the keys of the
 * provider's cookies.
 */
export interface SigningKeys {
  jwks: JWK[];
  cookieKeys: string[];
}

type KeyRow = RowOf<SigningKeyEntity>;

type KeyServices = Pick<AccountServices, 'database' | 'secrets' | 'clock'>;

/**
 * Reads the keys and creates them at the first start. Retired keys are kept, so that their signatures stay
 * verifiable.
 *
 * @throws StartFailure when they were sealed with another `SECRETS_KEY`
 */
export async function loadSigningKeys(services: KeyServices): Promise<SigningKeys> {
  const rows = await services.database.transaction(null, async (tx) => {
    const kept = await keyRows(tx);
    if (kept.length > 0) return kept;
    await tx.query('SELECT pg_advisory_xact_lock($1)', [LOCK_NUMBERS.signingKeys]);
    await makeMissingKeys(tx, services);
    return keyRows(tx);
  });
  const opened = signerFirst(rows, services.clock()).map((row) => ({
    use: row.use,
    text: openSealedKey(services.secrets, row.sealed),
  }));
  return {
    jwks: opened.filter(({ use }) => use === 'sig').map(({ text }) => JSON.parse(text) as JWK),
    cookieKeys: opened.filter(({ use }) => use === 'cookie').map(({ text }) => text),
  };
}

/**
 * Creates a new signing key. It is published at once and signs ten minutes later. Signatures of the other
 * keys stay verifiable.
 */
export async function rotateSigningKey(services: KeyServices): Promise<string> {
  return services.database.transaction(null, async (tx) => {
    await tx.query('SELECT pg_advisory_xact_lock($1)', [LOCK_NUMBERS.signingKeys]);
    return storeSigningKey(tx, services);
  });
}

/** Notification channel for a revoked key: every process then reads the keys again. */
export const KEYS_CHANGED = 'signing_keys_changed';

/**
 * Revokes a leaked key: deletes it, so that `/oauth/jwks` no longer lists it and its signatures are no longer
 * trusted. If no key is left, a new one is created that signs at once.
 *
 * @returns the id of the key that signs from now on; undefined when there is no key with this id
 */
export async function revokeSigningKey(services: KeyServices, kid: string): Promise<string | undefined> {
  return services.database.transaction(null, async (tx) => {
    await tx.query('SELECT pg_advisory_xact_lock($1)', [LOCK_NUMBERS.signingKeys]);
    if ((await signingKeys.delete(tx, { key_id: kid, use: 'sig' })) === 0) return undefined;
    const left = (await keyRows(tx)).filter(({ use }) => use === 'sig');
    if (left.length === 0) await storeSigningKey(tx, services);
    await tx.query(`SELECT pg_notify($1, '')`, [KEYS_CHANGED]);
    return signerFirst(await keyRows(tx), services.clock())[0]?.key_id;
  });
}

/** The ids of the published keys, the signing one first. */
export async function listSigningKeys({
  database,
  clock,
}: Pick<KeyServices, 'database' | 'clock'>): Promise<string[]> {
  const rows = await database.transaction(null, keyRows);
  return signerFirst(rows, clock())
    .filter(({ use }) => use === 'sig')
    .map(({ key_id: kid }) => kid);
}

/**
 * Creates a signing key when the newest is older than `days`; only one node does so.
 *
 * @returns whether it did
 */
export async function rotateWhenDue(services: KeyServices, days: number): Promise<boolean> {
  const before = new Date(services.clock().getTime() - days * DAY_MS).toISOString();
  const isDue = (rows: readonly KeyRow[]): boolean => {
    const newest = rows.find(({ use }) => use === 'sig');
    return newest !== undefined && newest.created_at < before;
  };
  return services.database.transaction(null, async (tx) => {
    if (!isDue(await keyRows(tx))) return false;
    await tx.query('SELECT pg_advisory_xact_lock($1)', [LOCK_NUMBERS.signingKeys]);
    if (!isDue(await keyRows(tx))) return false;
    await storeSigningKey(tx, services);
    return true;
  });
}

/**
 * Puts the signing key first: the newest key that was published for long enough, else the oldest. The others
 * follow, newest first.
 */
function signerFirst(rows: readonly KeyRow[], now: Date): KeyRow[] {
  const shownSince = new Date(now.getTime() - PUBLISHED_AHEAD_MS).toISOString();
  const signing = rows.filter(({ use }) => use === 'sig');
  const signer = signing.find(({ created_at: madeAt }) => madeAt <= shownSince) ?? signing.at(-1);
  return [...rows.filter((row) => row === signer), ...rows.filter((row) => row !== signer)];
}

/**
 * Signs with the first key: compact JWS, ES256, verifiable with `/oauth/jwks` by its `kid`.
 *
 * @param typ so that it does not pass for what the key signs besides, such as ID tokens (RFC 8725, 3.11)
 */
export async function signJws(keys: SigningKeys, typ: string, payload: object): Promise<string> {
  const [signer] = keys.jwks;
  if (signer?.kid === undefined) throw new Error('There is no signing key.');
  return new CompactSign(new TextEncoder().encode(JSON.stringify(payload)))
    .setProtectedHeader({ alg: ALGORITHM, kid: signer.kid, typ })
    .sign(await importJWK(signer, ALGORITHM));
}

function keyRows(tx: Transaction): Promise<KeyRow[]> {
  return tx.query<KeyRow>(
    `SELECT ${signingKeys.columns.join(', ')} FROM signing_keys ORDER BY created_at DESC, key_id`,
  );
}

async function makeMissingKeys(tx: Transaction, services: KeyServices): Promise<void> {
  if ((await keyRows(tx)).length > 0) return;
  await storeSigningKey(tx, services);
  await storeKey(tx, services, {
    id: newKeyId(),
    use: 'cookie',
    text: randomBytes(32).toString('base64url'),
  });
}

/**
 * @throws StartFailure when the other keys were sealed under another `SECRETS_KEY`: the processes with theirs
 *   could not open this one, and the next start would be refused
 */
async function storeSigningKey(tx: Transaction, services: KeyServices): Promise<string> {
  const kept = (await keyRows(tx)).map(({ sealed }) => sealed);
  if (kept.length > 0) requireOneThatOpens(services.secrets, kept);
  const { kid, ...key } = await newSigningKey();
  await storeKey(tx, services, { id: kid, use: 'sig', text: JSON.stringify({ ...key, kid }) });
  return kid;
}

async function storeKey(
  tx: Transaction,
  { secrets, clock }: KeyServices,
  { id, use, text }: { id: string; use: KeyRow['use']; text: string },
): Promise<void> {
  await signingKeys.insert(tx, { key_id: id, use, sealed: secrets.seal(text), created_at: clock() });
}

async function newSigningKey(): Promise<JWK & { kid: string }> {
  const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  return { ...(await exportJWK(privateKey)), kid: newKeyId(), alg: ALGORITHM, use: 'sig' };
}

function newKeyId(): string {
  return randomBytes(12).toString('base64url');
}
