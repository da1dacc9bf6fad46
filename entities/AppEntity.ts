import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** A partner application. Read by its id before any app is known: the one directory that all others hang on. */
@Entity({ name: 'apps' })
@Check('apps_client_type_check', "client_type = ANY (ARRAY['public'::text, 'confidential'::text])")
@Check('apps_scopes_check', 'allowed_scopes <@ granted_scopes')
@Check(
  'apps_purposes_check',
  '(granted_consent_purposes IS NULL) OR ((allowed_consent_purposes IS NOT NULL) AND (allowed_consent_purposes <@ granted_consent_purposes))',
)
@Check('apps_status_check', "status = ANY (ARRAY['active'::text, 'disabled'::text])")
export class AppEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text', primaryKeyConstraintName: 'apps_pkey' })
  appId: string;

  @Column({ type: 'text' })
  name: string;

  @Column({ name: 'client_type', type: 'text' })
  clientType: string;

  @Column({ name: 'client_secret_hash', type: 'text', nullable: true })
  clientSecretHash: string | null;

  /** The secret before the present one, which is good until `previousSecretExpiresAt`. */
  @Column({ name: 'previous_secret_hash', type: 'text', nullable: true })
  previousSecretHash: string | null;

  @Column({ name: 'previous_secret_expires_at', type: 'timestamptz', precision: 3, nullable: true })
  previousSecretExpiresAt: Date | null;

  @Column({ name: 'redirect_uris', type: 'text', array: true })
  redirectUris: string[];

  @Column({ name: 'allowed_scopes', type: 'text', array: true })
  allowedScopes: string[];

  @Column({ name: 'allowed_consent_purposes', type: 'text', array: true, nullable: true })
  allowedConsentPurposes: string[] | null;

  @Column({ name: 'allowed_mask', type: 'integer' })
  allowedMask: number;

  @Column({ name: 'granted_scopes', type: 'text', array: true })
  grantedScopes: string[];

  @Column({ name: 'granted_consent_purposes', type: 'text', array: true, nullable: true })
  grantedConsentPurposes: string[] | null;

  @Column({ type: 'text' })
  status: string;

  @Column({ name: 'webhook_default_url', type: 'text', nullable: true })
  webhookDefaultUrl: string | null;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}
