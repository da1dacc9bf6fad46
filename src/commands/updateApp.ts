import type { UpdateAppInput } from '../../schema/inputs/AppInput.js';
import type { App } from '../../schema/types/App.js';
import type { Transaction } from '../database/Transaction.js';
import { changeReach } from '../domain/appCeiling.js';
import type { AppIdentity } from '../domain/appIdentity.js';
import { changeIdentity, identityProblems } from '../domain/appIdentity.js';
import { allowedMask } from '../domain/purposes.js';
import type { AppReach } from '../domain/appCeiling.js';
import { validationFailed } from '../errors.js';
import { APP_COLUMNS, toApp } from '../../entities/AppEntity.js';
import { lockApp } from './lockApp.js';
import { encodeLogo } from './encodeLogo.js';
import { storeAppLogo } from './storeAppLogo.js';
import type { AppRow } from '../../entities/AppEntity.js';
import type { CommandContext } from './CommandContext.js';

/**
 * Changes an app. A disabled app, a lost scope or purpose takes effect on every node: a trigger notifies
 * their token verifiers.
 */
export async function updateApp(
  tx: Transaction,
  context: CommandContext,
  id: string,
  input: UpdateAppInput,
): Promise<App> {
  const byOperator = context.appId === 'admin';
  const stored = await lockApp(tx, context, id);
  const { reach, problems: reachProblems } = changeReach(reachOf(toApp(stored)), input, byOperator);
  const problems = [...reachProblems, ...identityProblems(input, byOperator)];
  if (problems.length > 0) throw validationFailed(problems);
  const identity = changeIdentity(identityOf(stored), input);
  const logo = typeof input.logo === 'string' ? await encodeLogo(input.logo) : input.logo;
  const logoDigest = logo === undefined ? stored.logo_digest : (logo?.digest ?? null);
  const row = await tx.one<AppRow>(
    `UPDATE apps SET name = coalesce($2, name), redirect_uris = coalesce($3, redirect_uris),
      status = coalesce($4, status),
       allowed_scopes = $5, allowed_consent_purposes = $6, allowed_mask = $7, granted_scopes = $8,
       granted_consent_purposes = $9,
       updated_at = $10, client_uri = $11, tos_uri = $12, policy_uri = $13, logo_digest = $14
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
      identity.clientUri,
      identity.tosUri,
      identity.policyUri,
      logoDigest,
    ],
  );
  if (row === undefined) throw new Error('The app was not changed.');
  if (logo !== undefined) await storeAppLogo(tx, id, logo);
  return toApp(row);
}

function identityOf(row: AppRow): AppIdentity {
  return { clientUri: row.client_uri, tosUri: row.tos_uri, policyUri: row.policy_uri };
}

function reachOf(app: App): AppReach {
  return {
    allowedScopes: app.allowedScopes,
    allowedConsentPurposes: app.allowedConsentPurposes ?? null,
    grantedScopes: app.grantedScopes,
    grantedConsentPurposes: app.grantedConsentPurposes ?? null,
  };
}
