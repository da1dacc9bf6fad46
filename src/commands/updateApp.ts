import type { UpdateAppInput } from '../../schema/inputs/AppInput.js';
import type { App } from '../../schema/types/App.js';
import type { Transaction } from '../database/Transaction.js';
import { changeReach } from '../domain/appCeiling.js';
import type { AppIdentity } from '../domain/appIdentity.js';
import { changeIdentity, identityProblems } from '../domain/appIdentity.js';
import type { AppReach } from '../domain/appCeiling.js';
import { PLACE_OF, purposesOf } from '../domain/purposes.js';
import { validationFailed } from '../errors.js';
import { apps, identityColumns, reachColumns, toApp } from '../../entities/AppEntity.js';
import { lockApp, requireKept } from './lockApp.js';
import { restartLearning } from './requestLearning.js';
import { encodeLogo } from './encodeLogo.js';
import { storeAppLogo } from './storeAppLogo.js';
import type { AppRow } from '../../entities/AppEntity.js';
import { ADMIN_SCOPE } from './CommandContext.js';
import type { CommandContext } from './CommandContext.js';
import { timeOfChange } from './timeOfChange.js';

/**
 * Changes an app. A disabled app or a removed scope or purpose takes effect on every node: a trigger notifies
 * the token verifiers.
 *
 * @throws ServiceError `conflict` when it would enable an app whose deletion began
 */
export async function updateApp(
  tx: Transaction,
  context: CommandContext,
  id: string,
  input: UpdateAppInput,
): Promise<App> {
  const byOperator = context.appId === ADMIN_SCOPE;
  const stored = await lockApp(tx, context, id);
  if (input.status === 'active' && stored.status !== 'active') await requireKept(tx, id);
  const { reach, problems: reachProblems } = changeReach(reachOf(toApp(stored)), input, byOperator);
  const problems = [...reachProblems, ...identityProblems(input, byOperator)];
  if (problems.length > 0) throw validationFailed(problems);
  const logo = typeof input.logo === 'string' ? await encodeLogo(input.logo) : input.logo;
  const row = await apps.updateRow(
    tx,
    { app_id: id },
    {
      name: input.name ?? undefined,
      redirect_uris: input.redirectUris ? [...new Set(input.redirectUris)] : undefined,
      status: input.status ?? undefined,
      ...reachColumns(reach),
      ...identityColumns(changeIdentity(identityOf(stored), input)),
      logo_digest: logo === null ? null : logo?.digest,
      updated_at: timeOfChange(context.clock(), stored.updated_at),
    },
  );
  if (row === undefined) throw new Error('The app was not changed.');
  if (logo !== undefined) await storeAppLogo(tx, id, logo);
  const kept = purposesOf(row.allowed_mask);
  const lost = purposesOf(stored.allowed_mask).filter((purpose) => !kept.includes(purpose));
  const places = lost.map((purpose) => PLACE_OF[purpose]);
  restartLearning(tx, id, places, context.now);
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
