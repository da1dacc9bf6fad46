import { createHash, randomBytes } from 'node:crypto';
import type { CreateAppInput } from '../../schema/inputs/AppInput.js';
import type { CreateAppPayload } from '../../schema/types/App.js';
import type { Transaction } from '../database/Transaction.js';
import { newId } from '../domain/ids.js';
import { ALL_PURPOSES_MASK, maskOf } from '../domain/purposes.js';
import { APP_COLUMNS, orderedPurposes, toApp } from './appRow.js';
import type { AppRow } from './appRow.js';
import type { CommandContext } from './CommandContext.js';

/** Registers a partner app. Its secret is given out here and kept as a hash only. */
export async function createApp(
  tx: Transaction,
  { now }: CommandContext,
  input: CreateAppInput,
): Promise<CreateAppPayload> {
  const scopes = [...new Set(input.allowedScopes ?? input.scopes ?? [])];
  const clientType = input.clientType ?? 'confidential';
  const secret = clientType === 'confidential' ? randomBytes(32).toString('base64url') : null;
  const purposes = input.allowedConsentPurposes ?? null;
  const mask = purposes === null ? ALL_PURPOSES_MASK : maskOf(purposes);
  const [row] = await tx.query<AppRow>(
    `INSERT INTO apps (app_id, name, client_type, client_secret_hash, redirect_uris, allowed_scopes, allowed_consent_purposes,
       allowed_mask, status, webhook_default_url, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'active', $9, $10, $10) RETURNING ${APP_COLUMNS}`,
    [
      newId('app'),
      input.name,
      clientType,
      secret === null ? null : hashClientSecret(secret),
      [...new Set(input.redirectUris)],
      scopes,
      orderedPurposes(purposes, mask),
      mask,
      input.webhookDefaultUrl ?? null,
      now,
    ],
  );
  if (row === undefined) throw new Error('The app was not stored.');
  const app = toApp(row);
  return {
    appId: app.id,
    clientId: app.clientId,
    clientSecret: secret,
    name: app.name,
    redirectUris: app.redirectUris,
    scopes,
    createdAt: app.createdAt,
    app,
  };
}

/** Client secrets have 256 random bits, so one round of SHA-256 keeps them; only passwords need a slow hash. */
export function hashClientSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
