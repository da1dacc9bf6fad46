import { randomBytes } from 'node:crypto';
import type { JWK } from 'jose';
import { CompactSign, exportJWK, generateKeyPair, importJWK } from 'jose';
import type { Transaction } from '../database/Transaction.js';
import type { OauthServices } from './OauthServices.js';

const ALGORITHM = 'ES256';

/** Any number, the same for every node: of several first starts only one makes the keys. */
const KEYS_LOCK = 7_263_518_005;

/** The service's keys, the same on every node: private JWKs, newest first, and the keys of the provider's cookies. */
export interface SigningKeys {
  jwks: JWK[];
  cookieKeys: string[];
}

interface KeyRow extends Record<string, unknown> {
  key_id: string;
  use: 'sig' | 'cookie';
  sealed: string;
}

type KeyServices = Pick<OauthServices, 'database' | 'secrets' | 'clock'>;

/**
 * The keys as stored; made at the first start. Retired keys are kept, so that what they signed stays verifiable.
 *
 * @throws Error when they were sealed under another `SECRETS_KEY`
 */
export async function loadSigningKeys(services: KeyServices): Promise<SigningKeys> {
  const rows = await services.database.transaction(null, async (tx) => {
    const kept = await keyRows(tx);
    if (kept.length > 0) return kept;
    await tx.query('SELECT pg_advisory_xact_lock($1)', [KEYS_LOCK]);
    await makeMissingKeys(tx, services);
    return keyRows(tx);
  });
  const opened = rows.map((row) => ({ use: row.use, text: openKey(services, row) }));
  return {
    jwks: opened.filter(({ use }) => use === 'sig').map(({ text }) => JSON.parse(text) as JWK),
    cookieKeys: opened.filter(({ use }) => use === 'cookie').map(({ text }) => text),
  };
}

/** Signs with the newest key: compact JWS, ES256, verifiable from `/oauth/jwks` by its `kid`. */
export async function signJws(keys: SigningKeys, payload: object): Promise<string> {
  const [newest] = keys.jwks;
  if (newest?.kid === undefined) throw new Error('There is no signing key.');
  return new CompactSign(new TextEncoder().encode(JSON.stringify(payload)))
    .setProtectedHeader({ alg: ALGORITHM, kid: newest.kid })
    .sign(await importJWK(newest, ALGORITHM));
}

function keyRows(tx: Transaction): Promise<KeyRow[]> {
  return tx.query<KeyRow>('SELECT key_id, use, sealed FROM signing_keys ORDER BY created_at DESC, key_id');
}

async function makeMissingKeys(tx: Transaction, services: KeyServices): Promise<void> {
  if ((await keyRows(tx)).length > 0) return;
  const signing = await newSigningKey();
  const keys = [
    { id: signing.kid, use: 'sig', text: JSON.stringify(signing) },
    { id: newKeyId(), use: 'cookie', text: randomBytes(32).toString('base64url') },
  ];
  for (const { id, use, text } of keys) {
    await tx.query('INSERT INTO signing_keys (key_id, use, sealed, created_at) VALUES ($1, $2, $3, $4)', [
      id,
      use,
      services.secrets.seal(text),
      services.clock(),
    ]);
  }
}

async function newSigningKey(): Promise<JWK & { kid: string }> {
  const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  return { ...(await exportJWK(privateKey)), kid: newKeyId(), alg: ALGORITHM, use: 'sig' };
}

function newKeyId(): string {
  return randomBytes(12).toString('base64url');
}

function openKey(services: KeyServices, row: KeyRow): string {
  try {
    return services.secrets.open(row.sealed);
  } catch {
    throw new Error('The signing keys in the database were sealed under another SECRETS_KEY. Start with that one.');
  }
}
