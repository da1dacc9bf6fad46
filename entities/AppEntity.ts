import { Check, Entity } from 'typeorm';
import type { App } from '../schema/types/App.js';
import type { AppReach } from '../src/domain/appCeiling.js';
import type { AppIdentity } from '../src/domain/appIdentity.js';
import type { FormerSecret } from '../src/domain/clientSecrets.js';
import { allowedMask } from '../src/domain/purposes.js';
import type { Purpose } from '../src/domain/purposes.js';
import type { Scope } from '../src/domain/scopes.js';
import { Integer, Json, Key, Text, TextList, Time } from './columns.js';
import { columnsOf } from './rowOf.js';
import type { RowOf } from './rowOf.js';
import { Table } from './Table.js';

/** A partner application. Read by its id, before the app of a request is known. */
@Entity({ name: 'apps' })
@Check('apps_client_type_check', "client_type = ANY (ARRAY['public'::text, 'confidential'::text])")
@Check('apps_scopes_check', 'allowed_scopes <@ granted_scopes')
@Check(
  'apps_purposes_check',
  '(granted_consent_purposes IS NULL) OR ((allowed_consent_purposes IS NOT NULL) AND (allowed_consent_purposes <@ granted_consent_purposes))',
)
@Check('apps_status_check', "status = ANY (ARRAY['active'::text, 'disabled'::text])")
export class AppEntity {
  @Key() appId: string;
  @Text() name: string;
  @Text() clientType: 'public' | 'confidential';
  @Text({ nullable: true, select: false }) clientSecretHash: string | null;
  /** The previous secret, valid until `previousSecretExpiresAt`. */
  @Text({ nullable: true, select: false }) previousSecretHash: string | null;
  @Time({ nullable: true, select: false }) previousSecretExpiresAt: Date | null;
  /** Earlier secrets, newest first: `{hash, expires_at}` of each that was valid at the last rotation. */
  @Json({ default: () => "'[]'", select: false }) olderSecrets: readonly FormerSecret[];
  @TextList() redirectUris: string[];
  @TextList() allowedScopes: Scope[];
  @TextList({ nullable: true }) allowedConsentPurposes: Purpose[] | null;
  @Integer() allowedMask: number;
  @TextList() grantedScopes: Scope[];
  @TextList({ nullable: true }) grantedConsentPurposes: Purpose[] | null;
  @Text() status: 'active' | 'disabled';
  @Text({ nullable: true }) webhookDefaultUrl: string | null;
  @Text({ nullable: true }) clientUri: string | null;
  @Text({ nullable: true }) tosUri: string | null;
  @Text({ nullable: true }) policyUri: string | null;
  /** The digest of the picture in `app_logos`. */
  @Text({ nullable: true }) logoDigest: string | null;
  @Time() createdAt: Date;
  @Time() updatedAt: Date;
}

type Secrets = 'clientSecretHash' | 'previousSecretHash' | 'previousSecretExpiresAt' | 'olderSecrets';

export const apps = new Table<AppEntity, Secrets>(AppEntity);

export type AppRow = RowOf<AppEntity, Secrets>;

export const APP_COLUMNS = columnsOf(AppEntity);

/** The columns of an app's rights. */
export function reachColumns(reach: AppReach) {
  return {
    allowed_scopes: reach.allowedScopes,
    allowed_consent_purposes: reach.allowedConsentPurposes,
    allowed_mask: allowedMask(reach.allowedConsentPurposes),
    granted_scopes: reach.grantedScopes,
    granted_consent_purposes: reach.grantedConsentPurposes,
  };
}

/** The columns of the app's links: its website, terms of service and privacy policy. */
export function identityColumns({ clientUri, tosUri, policyUri }: AppIdentity) {
  return { client_uri: clientUri, tos_uri: tosUri, policy_uri: policyUri };
}

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
    clientUri: row.client_uri,
    tosUri: row.tos_uri,
    policyUri: row.policy_uri,
    logoDigest: row.logo_digest,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
