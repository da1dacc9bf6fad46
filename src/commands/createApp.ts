import type { CreateAppInput } from '../../schema/inputs/AppInput.js';
import type { CreateAppPayload } from '../../schema/types/App.js';
import type { Transaction } from '../database/Transaction.js';
import type { AppReach } from '../domain/appCeiling.js';
import { newId } from '../domain/ids.js';
import { hashSecretToken, newSecretToken } from '../domain/secretToken.js';
import { changeReach } from '../domain/appCeiling.js';
import { endpointUrlProblems } from '../domain/webhooks/endpointUrl.js';
import type { ReceiverPolicy } from '../domain/webhooks/endpointUrl.js';
import { validationFailed } from '../errors.js';
import type { ErrorDetail } from '../errors.js';
import { apps, identityColumns, reachColumns, toApp } from '../../entities/AppEntity.js';
import { changeIdentity } from '../domain/appIdentity.js';
import { encodeLogo } from './encodeLogo.js';
import { storeAppLogo } from './storeAppLogo.js';
import type { CommandContext } from './CommandContext.js';

/**
 * Registers a partner app. The secret is returned once; only its hash is stored.
 *
 * @param policy of the app's default receiver
 */
export async function createApp(
  tx: Transaction,
  { now }: CommandContext,
  input: CreateAppInput,
  policy: ReceiverPolicy,
): Promise<CreateAppPayload> {
  const clientType = input.clientType ?? 'confidential';
  const secret = clientType === 'confidential' ? newSecretToken() : null;
  const { reach, problems } = changeReach(
    NOTHING,
    {
      ...input,
      allowedScopes: input.allowedScopes ?? input.scopes,
      allowedConsentPurposes: input.allowedConsentPurposes ?? null,
    },
    true,
  );
  if (typeof input.webhookDefaultUrl === 'string')
    for (const problem of endpointUrlProblems(input.webhookDefaultUrl, policy))
      problems.push({ ...problem, field: 'webhook_default_url' });
  if (problems.length > 0) throw validationFailed(problems.map((problem) => asSent(problem, input)));
  const id = newId('app');
  const logo = typeof input.logo === 'string' ? await encodeLogo(input.logo) : null;
  const row = await apps.insertNew(tx, {
    app_id: id,
    name: input.name,
    client_type: clientType,
    client_secret_hash: secret === null ? null : hashSecretToken(secret),
    redirect_uris: [...new Set(input.redirectUris)],
    ...reachColumns(reach),
    status: 'active',
    webhook_default_url: input.webhookDefaultUrl ?? null,
    ...identityColumns(changeIdentity(NOBODY, input)),
    logo_digest: logo?.digest ?? null,
    created_at: now,
    updated_at: now,
  });
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

/** Names `scopes` where the client sent this alias. */
function asSent(problem: ErrorDetail, { allowedScopes }: CreateAppInput): ErrorDetail {
  if (allowedScopes || problem.field === undefined) return problem;
  return { ...problem, field: problem.field.replace(/^allowed_scopes/, 'scopes') };
}

const NOTHING: AppReach = {
  allowedScopes: [],
  allowedConsentPurposes: null,
  grantedScopes: [],
  grantedConsentPurposes: null,
};

const NOBODY = { clientUri: null, tosUri: null, policyUri: null };
