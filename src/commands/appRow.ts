import type { App } from '../../schema/types/App.js';
import type { Transaction } from '../database/Transaction.js';
import type { Purpose } from '../domain/purposes.js';
import type { Scope } from '../domain/scopes.js';
import { ServiceError } from '../errors.js';
import type { CommandContext } from './CommandContext.js';

export interface AppRow extends Record<string, unknown> {
  app_id: string;
  name: string;
  client_type: 'public' | 'confidential';
  redirect_uris: string[];
  allowed_scopes: Scope[];
  allowed_consent_purposes: Purpose[] | null;
  allowed_mask: number;
  granted_scopes: Scope[];
  granted_consent_purposes: Purpose[] | null;
  status: 'active' | 'disabled';
  webhook_default_url: string | null;
  created_at: string;
  updated_at: string;
}

export const APP_COLUMNS = `app_id, name, client_type, redirect_uris, allowed_scopes, allowed_consent_purposes, allowed_mask, granted_scopes,
  granted_consent_purposes, status, webhook_default_url, created_at, updated_at`;

export function toApp(row: AppRow): App {
  return {
    id: row.app_id,
    name: row.name,
    clientId: row.app_id,
    clientType: row.client_type,
    redirectUris: row.redirect_uris,
    allowedScopes: row.allowed_scopes,
    allowedConsentPurposes: row.allowed_consent_purposes,
    grantedScopes: row.granted_scopes,
    grantedConsentPurposes: row.granted_consent_purposes,
    status: row.status,
    webhookDefaultUrl: row.webhook_default_url,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** The app's row, locked for a change by its own token or an administrative key. @throws ServiceError `not_found` */
export async function lockApp(tx: Transaction, { appId }: CommandContext, id: string): Promise<AppRow> {
  const isOwn = appId === 'admin' || appId === id;
  const row = isOwn
    ? await tx.one<AppRow>(`SELECT ${APP_COLUMNS} FROM apps WHERE app_id = $1 FOR UPDATE`, [id])
    : undefined;
  if (row === undefined) throw new ServiceError('not_found', 'There is no such app.');
  return row;
}
