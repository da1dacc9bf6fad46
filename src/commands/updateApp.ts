import type { UpdateAppInput } from '../../schema/inputs/AppInput.js';
import type { App } from '../../schema/types/App.js';
import type { Transaction } from '../database/Transaction.js';
import { ALL_PURPOSES_MASK, maskOf } from '../domain/purposes.js';
import { ServiceError } from '../errors.js';
import { APP_COLUMNS, orderedPurposes, toApp } from './appRow.js';
import type { AppRow } from './appRow.js';
import type { CommandContext } from './CommandContext.js';

/** Changes an app. A disabled app, a lost scope or purpose takes effect on every node: a trigger notifies their token verifiers. */
export async function updateApp(
  tx: Transaction,
  { appId, now }: CommandContext,
  id: string,
  input: UpdateAppInput,
): Promise<App> {
  if (appId !== 'admin' && appId !== id) throw new ServiceError('not_found', 'There is no such app.');
  const purposes = input.allowedConsentPurposes;
  const mask = purposes ? maskOf(purposes) : ALL_PURPOSES_MASK;
  const [row] = await tx.query<AppRow>(
    `UPDATE apps SET name = coalesce($2, name), redirect_uris = coalesce($3, redirect_uris),
       allowed_scopes = coalesce($4, allowed_scopes), status = coalesce($5, status),
       allowed_consent_purposes = CASE WHEN $6 THEN $7 ELSE allowed_consent_purposes END,
       allowed_mask = CASE WHEN $6 THEN $8 ELSE allowed_mask END, updated_at = $9
     WHERE app_id = $1 RETURNING ${APP_COLUMNS}`,
    [
      id,
      input.name ?? null,
      unique(input.redirectUris),
      unique(input.allowedScopes),
      input.status ?? null,
      purposes !== undefined,
      orderedPurposes(purposes, mask),
      mask,
      now,
    ],
  );
  if (row === undefined) throw new ServiceError('not_found', 'There is no such app.');
  return toApp(row);
}

function unique<T>(items: readonly T[] | null | undefined): T[] | null {
  return items ? [...new Set(items)] : null;
}
