import type { RotateAppSecretInput } from '../../schema/inputs/AppInput.js';
import type { AppSecretPayload } from '../../schema/types/App.js';
import type { Transaction } from '../database/Transaction.js';
import { ServiceError } from '../errors.js';
import { APP_COLUMNS, toApp } from '../../entities/AppEntity.js';
import { lockApp } from './lockApp.js';
import type { AppRow } from '../../entities/AppEntity.js';
import type { CommandContext } from './CommandContext.js';
import { hashClientSecret, newClientSecret } from './createApp.js';

const OVERLAP_MS = 24 * 60 * 60 * 1000;

/**
 * Gives an app a new client secret. The present one is good for 24 hours more, or ends now; one older still ends now.
 * Tokens that were issued stay good.
 *
 * @throws ServiceError `conflict` for a public client, which has no secret
 */
export async function rotateAppSecret(
  tx: Transaction,
  context: CommandContext,
  id: string,
  input: RotateAppSecretInput | undefined,
): Promise<AppSecretPayload> {
  const { client_type: clientType } = await lockApp(tx, context, id);
  if (clientType === 'public') throw new ServiceError('conflict', 'A public client has no secret.');
  const clientSecret = newClientSecret();
  const overlapEnds = input?.expireCurrent === 'now' ? null : new Date(context.now.getTime() + OVERLAP_MS);
  const row = await tx.one<AppRow>(
    `UPDATE apps SET previous_secret_hash = CASE WHEN $3::timestamptz IS NULL THEN NULL ELSE client_secret_hash END,
       previous_secret_expires_at = $3, client_secret_hash = $2, updated_at = $4 WHERE app_id = $1 RETURNING ${APP_COLUMNS}`,
    [id, hashClientSecret(clientSecret), overlapEnds, context.now],
  );
  if (row === undefined) throw new Error('The app was not changed.');
  return { app: toApp(row), clientSecret };
}
