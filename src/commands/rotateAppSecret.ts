import { DAY_MS } from '../domain/timestamp.js';
import type { RotateAppSecretInput } from '../../schema/inputs/AppInput.js';
import type { AppSecretPayload } from '../../schema/types/App.js';
import type { Transaction } from '../database/Transaction.js';
import { conflict } from '../errors.js';
import type { ErrorDetail } from '../errors.js';
import { apps, toApp } from '../../entities/AppEntity.js';
import { lockApp } from './lockApp.js';
import { formerSecrets, SECRET_COLUMNS } from '../domain/clientSecrets.js';
import type { FormerSecret } from '../domain/clientSecrets.js';
import type { CommandContext } from './CommandContext.js';
import { timeOfChange } from './timeOfChange.js';
import { hashSecretToken, newSecretToken } from '../domain/secretToken.js';

const OVERLAP_MS = DAY_MS;

/** Maximum former secrets of an app that are valid at the same time. */
const MAX_FORMER = 10;

const PUBLIC: ErrorDetail = { code: 'public_client', message: 'is public', field: 'client_type' };

const TOO_MANY: ErrorDetail = {
  code: 'too_many_secrets',
  message: 'must be now while so many former secrets are valid',
  field: 'expire_current',
};

/**
 * Gives an app a new client secret. The current one stays valid for 24 hours, and former ones for the rest of
 * theirs; or all of them end now. Issued tokens stay valid.
 *
 * @throws ServiceError `conflict` for a public client, which has no secret, and when too many former secrets
 * are valid
 */
export async function rotateAppSecret(
  tx: Transaction,
  context: CommandContext,
  id: string,
  input: RotateAppSecretInput | undefined,
): Promise<AppSecretPayload> {
  const { client_type: clientType, updated_at: updatedAt } = await lockApp(tx, context, id);
  const now = timeOfChange(context.clock(), updatedAt);
  if (clientType === 'public') throw conflict('A public client has no secret.', PUBLIC);
  const clientSecret = newSecretToken();
  const [newest, ...older] = input?.expireCurrent === 'now' ? [] : await keptSecrets(tx, id, now);
  const row = await apps.updateRow(
    tx,
    { app_id: id },
    {
      client_secret_hash: hashSecretToken(clientSecret),
      previous_secret_hash: newest?.hash ?? null,
      previous_secret_expires_at: newest?.expires_at ?? null,
      older_secrets: older,
      updated_at: now,
    },
  );
  if (row === undefined) throw new Error('The app was not changed.');
  return { app: toApp(row), clientSecret };
}

/** The secrets that remain valid after a rotation that ends none, newest first. */
async function keptSecrets(tx: Transaction, id: string, now: Date): Promise<FormerSecret[]> {
  const app = await apps.find(tx, SECRET_COLUMNS, { app_id: id });
  if (app === undefined || app.client_secret_hash === null) throw new Error('The app has no secret.');
  const present = {
    hash: app.client_secret_hash,
    expires_at: new Date(now.getTime() + OVERLAP_MS).toISOString(),
  };
  const kept = [present, ...formerSecrets(app, now)];
  if (kept.length > MAX_FORMER)
    throw conflict(`${MAX_FORMER} former secrets are good. End them: "expire_current": "now".`, TOO_MANY);
  return kept;
}
