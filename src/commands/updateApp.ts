import type { UpdateAppInput } from '../../schema/inputs/AppInput.js';
import type { App } from '../../schema/types/App.js';
import type { Transaction } from '../database/Transaction.js';
import { changeReach } from '../domain/appCeiling.js';
import { allowedMask } from '../domain/purposes.js';
import type { AppReach } from '../domain/appCeiling.js';
import { validationFailed } from '../errors.js';
import { APP_COLUMNS, toApp } from '../../entities/AppEntity.js';
import { lockApp } from './lockApp.js';
import type { AppRow } from '../../entities/AppEntity.js';
import type { CommandContext } from './CommandContext.js';

/** Changes an app. A disabled app, a lost scope or purpose takes effect on every node: a trigger notifies their token verifiers. */
export async function updateApp(
  tx: Transaction,
  context: CommandContext,
  id: string,
  input: UpdateAppInput,
): Promise<App> {
  const current = toApp(await lockApp(tx, context, id));
  const { reach, problems } = changeReach(reachOf(current), input, context.appId === 'admin');
  if (problems.length > 0) throw validationFailed(problems);
  const row = await tx.one<AppRow>(
    `UPDATE apps SET name = coalesce($2, name), redirect_uris = coalesce($3, redirect_uris), status = coalesce($4, status),
       allowed_scopes = $5, allowed_consent_purposes = $6, allowed_mask = $7, granted_scopes = $8, granted_consent_purposes = $9,
       updated_at = $10
     WHERE app_id = $1 RETURNING ${APP_COLUMNS}`,
    [
      id,
      input.name ?? null,
      input.redirectUris ? [...new Set(input.redirectUris)] : null,
      input.status ?? null,
      reach.allowedScopes,
      reach.allowedConsentPurposes,
      allowedMask(reach.allowedConsentPurposes),
      reach.grantedScopes,
      reach.grantedConsentPurposes,
      context.now,
    ],
  );
  if (row === undefined) throw new Error('The app was not changed.');
  return toApp(row);
}

function reachOf(app: App): AppReach {
  return {
    allowedScopes: app.allowedScopes,
    allowedConsentPurposes: app.allowedConsentPurposes ?? null,
    grantedScopes: app.grantedScopes,
    grantedConsentPurposes: app.grantedConsentPurposes ?? null,
  };
}
