import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../database/makeFolder.js';
import type { Transaction } from '../database/Transaction.js';
import { newId } from '../domain/ids.js';
import { allowedMask } from '../domain/purposes.js';
import { ALL_SCOPES } from '../domain/scopes.js';
import { hashSecretToken } from '../domain/secretToken.js';
import type { AccountServices } from '../accounts/AccountServices.js';
import { hashPassword } from '../accounts/passwordHash.js';

/** An account and app to try the service with; only in development. */
export interface Demo {
  email: string;
  password: string;
  appId: string;
  clientSecret: string;
}

const FILE = 'demo.json';
const EMAIL = 'demo@localhost.example';

/**
 * Creates what is missing of the demo account, a member of the demo app with every scope. Its secrets are
 * random and stored in `DATA_DIR`, so that they stay the same at each start.
 */
export async function ensureDemo(services: AccountServices): Promise<Demo> {
  if (services.config.environment === 'production')
    throw new Error('There is no demo account in production.');
  const demo = keptDemo(services.config.dataDir) ?? newDemo(services.config.dataDir);
  const passwordHash = await hashPassword(demo.password);
  await services.database.transaction(null, async (tx) => {
    await ensureApp(tx, services, demo);
    await ensureMember(tx, services.clock(), demo, passwordHash);
  });
  return demo;
}

export function keptDemo(dataDir: string): Demo | undefined {
  try {
    return JSON.parse(readFileSync(join(dataDir, FILE), 'utf8')) as Demo;
  } catch {
    return undefined;
  }
}

function newDemo(dataDir: string): Demo {
  const demo: Demo = {
    email: EMAIL,
    password: randomBytes(12).toString('base64url'),
    appId: newId('app'),
    clientSecret: randomBytes(32).toString('base64url'),
  };
  makeFolder(dataDir);
  writeFileSync(join(dataDir, `${FILE}.new`), `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 });
  renameSync(join(dataDir, `${FILE}.new`), join(dataDir, FILE));
  return demo;
}

async function ensureApp(tx: Transaction, { config, clock }: AccountServices, demo: Demo): Promise<void> {
  await tx.query(
    `INSERT INTO apps (app_id, name, client_type, client_secret_hash, redirect_uris, allowed_scopes,
      granted_scopes, allowed_mask, status, created_at, updated_at)
     VALUES ($1, 'Demo app', 'confidential', $2, $3, $4, $4, $5, 'active', $6,
       $6) ON CONFLICT (app_id) DO NOTHING`,
    [
      demo.appId,
      hashSecretToken(demo.clientSecret),
      [`${config.baseUrl}/graphiql/callback`],
      ALL_SCOPES,
      allowedMask(null),
      clock(),
    ],
  );
}

async function ensureMember(tx: Transaction, now: Date, demo: Demo, passwordHash: string): Promise<void> {
  const account = await tx.one<{ account_id: string }>(
    `INSERT INTO accounts (account_id, email, email_verified, password_hash, created_at, updated_at)
     VALUES ($1, $2, true, $3, $4, $4)
     ON CONFLICT (email) DO UPDATE SET password_hash = excluded.password_hash, email_verified = true
     RETURNING account_id`,
    [newId('acc'), demo.email, passwordHash, now],
  );
  await tx.query(
    `INSERT INTO app_members (app_id, account_id, scopes, created_at, updated_at) VALUES ($1, $2, $3, $4, $4)
     ON CONFLICT (app_id, account_id) DO NOTHING`,
    [demo.appId, account?.account_id, ALL_SCOPES, now],
  );
}
