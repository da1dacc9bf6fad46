import { createHash, randomBytes } from 'node:crypto';
import type { CreateAppInput } from '../../schema/inputs/AppInput.js';
import type { CreateAppPayload } from '../../schema/types/App.js';
import type { Transaction } from '../database/Transaction.js';
import type { AppReach } from '../domain/appCeiling.js';
import { newId } from '../domain/ids.js';
import { changeReach } from '../domain/appCeiling.js';
import { allowedMask } from '../domain/purposes.js';
import { validationFailed } from '../errors.js';
import { APP_COLUMNS, toApp } from '../../entities/AppEntity.js';
import type { AppRow } from '../../entities/AppEntity.js';
import { changeIdentity } from '../domain/appIdentity.js';
import { encodeLogo } from './encodeLogo.js';
import { storeAppLogo } from './storeAppLogo.js';
import type { CommandContext } from './CommandContext.js';

/** Registers a partner app. Its secret is given out here and kept as a hash only. */
export async function createApp(
  tx: Transaction,
  { now }: CommandContext,
  input: CreateAppInput,
): Promise<CreateAppPayload> {
  const clientType = input.clientType ?? 'confidential';
  const secret = clientType === 'confidential' ? newClientSecret() : null;
  const { reach, problems } = changeReach(
    NOTHING,
    {
      ...input,
      allowedScopes: input.allowedScopes ?? input.scopes,
      allowedConsentPurposes: input.allowedConsentPurposes ?? null,
    },
    true,
  );
  if (problems.length > 0) throw validationFailed(problems);
  const id = newId('app');
  const identity = changeIdentity(NOBODY, input);
  const logo = typeof input.logo === 'string' ? await encodeLogo(input.logo) : null;
  const [row] = await tx.query<AppRow>(
    `INSERT INTO apps (app_id, name, client_type, client_secret_hash, redirect_uris, allowed_scopes,
      allowed_consent_purposes,
       allowed_mask, granted_scopes, granted_consent_purposes, status, webhook_default_url, created_at,
       updated_at,
       client_uri, tos_uri, policy_uri, logo_digest)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'active', $11, $12, $12, $13, $14, $15, $16)
       RETURNING ${APP_COLUMNS}`,
    [
      id,
      input.name,
      clientType,
      secret === null ? null : hashClientSecret(secret),
      [...new Set(input.redirectUris)],
      reach.allowedScopes,
      reach.allowedConsentPurposes,
      allowedMask(reach.allowedConsentPurposes),
      reach.grantedScopes,
      reach.grantedConsentPurposes,
      input.webhookDefaultUrl ?? null,
      now,
      identity.clientUri,
      identity.tosUri,
      identity.policyUri,
      logo?.digest ?? null,
    ],
  );
  if (row === undefined) throw new Error('The app was not stored.');
  if (logo !== null) await storeAppLogo(tx, id, logo);
  const app = toApp(row);
  return {
    appId: app.id,
    clientId: app.clientId,
    clientSecret: secret,
    name: app.name,
    redirectUris: app.redirectUris,
    scopes: app.allowedScopes,
    createdAt: app.createdAt,
    app,
  };
}

const NOTHING: AppReach = {
  allowedScopes: [],
  allowedConsentPurposes: null,
  grantedScopes: [],
  grantedConsentPurposes: null,
};

const NOBODY = { clientUri: null, tosUri: null, policyUri: null };

export function newClientSecret(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * Client secrets have 256 random bits, so one round of SHA-256 keeps them; only passwords need a slow hash.
 */
export function hashClientSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
