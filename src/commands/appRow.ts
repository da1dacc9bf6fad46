import type { App } from '../../schema/types/App.js';
import { purposesOf } from '../domain/purposes.js';
import type { Purpose } from '../domain/purposes.js';
import type { Scope } from '../domain/scopes.js';

export interface AppRow extends Record<string, unknown> {
  app_id: string;
  name: string;
  client_type: 'public' | 'confidential';
  redirect_uris: string[];
  allowed_scopes: Scope[];
  allowed_consent_purposes: Purpose[] | null;
  allowed_mask: number;
  status: 'active' | 'disabled';
  webhook_default_url: string | null;
  created_at: string;
  updated_at: string;
}

export const APP_COLUMNS = `app_id, name, client_type, redirect_uris, allowed_scopes, allowed_consent_purposes, allowed_mask, status,
  webhook_default_url, created_at, updated_at`;

export function toApp(row: AppRow): App {
  return {
    id: row.app_id,
    name: row.name,
    clientId: row.app_id,
    clientType: row.client_type,
    redirectUris: row.redirect_uris,
    allowedScopes: row.allowed_scopes,
    allowedConsentPurposes: row.allowed_consent_purposes,
    status: row.status,
    webhookDefaultUrl: row.webhook_default_url,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** Purposes in the order of the vocabulary, each once; null stays null (all allowed). */
export function orderedPurposes(purposes: readonly Purpose[] | null | undefined, mask: number): Purpose[] | null {
  return purposes === null || purposes === undefined ? null : purposesOf(mask);
}
