import type { QueryRunner } from 'typeorm';
import { Migration } from '../../src/database/Migration.js';
import { directoryTable, protectTable } from '../../src/database/protect.js';

/**
 * Apps, customers, consent with its ledger, idempotency, claims and facts, workflows, the outbox and the work
 * queue.
 */
export class Core1763600000001 extends Migration {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of TABLES) await runner.query(statement);
    for (const table of PROTECTED) await protectTable(runner, table);
    // Append-only for the service: history can be added to, not rewritten.
    await protectTable(runner, 'consent_ledger', 'SELECT, INSERT');
    await protectTable(runner, 'consent_ledger_heads', 'SELECT, INSERT, UPDATE');
    for (const table of DIRECTORIES) await directoryTable(runner, table);
  }
}

const DIRECTORIES = ['apps', 'work_queue'];

const PROTECTED = [
  'customers',
  'customer_heads',
  'customer_consents',
  'consent_receipts',
  'consent_receipt_purposes',
  'idempotency_keys',
  'inbox',
  'claims',
  'facts',
  'workflows',
  'outbox',
];

const TABLES = [
  `CREATE TABLE apps (
    app_id text NOT NULL,
    name text NOT NULL,
    client_type text NOT NULL,
    client_secret_hash text,
    redirect_uris text[] NOT NULL,
    allowed_scopes text[] NOT NULL,
    allowed_consent_purposes text[],
    allowed_mask integer NOT NULL,
    status text NOT NULL,
    webhook_default_url text,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    CONSTRAINT apps_pkey PRIMARY KEY (app_id),
    CONSTRAINT apps_client_type_check CHECK (client_type IN ('public', 'confidential')),
    CONSTRAINT apps_status_check CHECK (status IN ('active', 'disabled'))
  )`,
  `CREATE TABLE customers (
    app_id text NOT NULL,
    customer_id text NOT NULL,
    external_id text NOT NULL,
    status text NOT NULL,
    profile jsonb,
    metadata jsonb,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    CONSTRAINT customers_pkey PRIMARY KEY (app_id, customer_id),
    CONSTRAINT customers_external_id_key UNIQUE (app_id, external_id),
    CONSTRAINT customers_app_fkey FOREIGN KEY (app_id) REFERENCES apps (app_id)
  )`,
  `CREATE TABLE customer_heads (
    app_id text NOT NULL,
    customer_id text NOT NULL,
    sequence bigint NOT NULL DEFAULT 0,
    applied_sequence bigint NOT NULL DEFAULT 0,
    granted_mask integer NOT NULL DEFAULT 0,
    epochs integer[] NOT NULL DEFAULT '{0,0,0,0,0,0,0}',
    latest_receipt_id text,
    open_workflow_id text,
    changed_at timestamptz(3) NOT NULL,
    CONSTRAINT customer_heads_pkey PRIMARY KEY (app_id, customer_id),
    CONSTRAINT customer_heads_customer_fkey FOREIGN KEY (app_id, customer_id) REFERENCES customers (app_id, customer_id) ON DELETE CASCADE
  )`,
  `CREATE TABLE customer_consents (
    app_id text NOT NULL,
    customer_id text NOT NULL,
    purpose smallint NOT NULL,
    status text NOT NULL,
    granted_at timestamptz(3) NOT NULL,
    revoked_at timestamptz(3),
    CONSTRAINT customer_consents_pkey PRIMARY KEY (app_id, customer_id, purpose),
    CONSTRAINT customer_consents_customer_fkey FOREIGN KEY (app_id, customer_id) REFERENCES customers (app_id, customer_id) ON DELETE CASCADE
  )`,
  `CREATE TABLE consent_receipts (
    app_id text NOT NULL,
    receipt_id text NOT NULL,
    customer_id text NOT NULL,
    terms_version text,
    privacy_policy_version text,
    connection_session_id text,
    evidence jsonb,
    granted_at timestamptz(3) NOT NULL,
    revoked_at timestamptz(3),
    revocation_reason text,
    revocation_note text,
    CONSTRAINT consent_receipts_pkey PRIMARY KEY (app_id, receipt_id),
    CONSTRAINT consent_receipts_customer_fkey FOREIGN KEY (app_id, customer_id) REFERENCES customers (app_id, customer_id) ON DELETE CASCADE
  )`,
  `CREATE INDEX consent_receipts_customer_idx ON consent_receipts (app_id, customer_id, receipt_id DESC)`,
  `CREATE TABLE consent_receipt_purposes (
    app_id text NOT NULL,
    receipt_id text NOT NULL,
    purpose smallint NOT NULL,
    position smallint NOT NULL,
    granted_at timestamptz(3) NOT NULL,
    revoked_at timestamptz(3),
    CONSTRAINT consent_receipt_purposes_pkey PRIMARY KEY (app_id, receipt_id, purpose),
    CONSTRAINT consent_receipt_purposes_receipt_fkey FOREIGN KEY (app_id, receipt_id) REFERENCES consent_receipts (app_id, receipt_id) ON DELETE CASCADE
  )`,
  `CREATE TABLE consent_ledger_heads (
    app_id text NOT NULL,
    ledger_sequence bigint NOT NULL,
    hash text NOT NULL,
    CONSTRAINT consent_ledger_heads_pkey PRIMARY KEY (app_id)
  )`,
  `CREATE TABLE consent_ledger (
    app_id text NOT NULL,
    ledger_sequence bigint NOT NULL,
    record text NOT NULL,
    previous_hash text NOT NULL,
    hash text NOT NULL,
    CONSTRAINT consent_ledger_pkey PRIMARY KEY (app_id, ledger_sequence)
  )`,
  `CREATE TABLE idempotency_keys (
    app_id text NOT NULL,
    key text NOT NULL,
    payload_hash text NOT NULL,
    customer_id text,
    sealed boolean NOT NULL DEFAULT false,
    result text,
    created_at timestamptz(3) NOT NULL,
    CONSTRAINT idempotency_keys_pkey PRIMARY KEY (app_id, key)
  )`,
  `CREATE INDEX idempotency_keys_created_at_idx ON idempotency_keys (app_id, created_at)`,
  `CREATE TABLE inbox (
    app_id text NOT NULL,
    customer_id text NOT NULL,
    sequence bigint NOT NULL,
    kind text NOT NULL,
    item_id text NOT NULL,
    purpose smallint NOT NULL,
    epoch integer NOT NULL,
    payload jsonb NOT NULL,
    workflow_id text,
    attempts integer NOT NULL DEFAULT 0,
    accepted_at timestamptz(3) NOT NULL,
    CONSTRAINT inbox_pkey PRIMARY KEY (app_id, customer_id, sequence),
    CONSTRAINT inbox_kind_check CHECK (kind IN ('claim', 'event')),
    CONSTRAINT inbox_head_fkey FOREIGN KEY (app_id, customer_id) REFERENCES customer_heads (app_id, customer_id) ON DELETE CASCADE
  )`,
  `CREATE TABLE claims (
    app_id text NOT NULL,
    customer_id text NOT NULL,
    sequence bigint NOT NULL,
    claim_id text NOT NULL,
    purpose smallint NOT NULL,
    epoch integer NOT NULL,
    attribute text NOT NULL,
    value jsonb NOT NULL,
    source text NOT NULL,
    observed_at timestamptz(3) NOT NULL,
    context text,
    confidence double precision NOT NULL,
    provenance jsonb NOT NULL,
    CONSTRAINT claims_pkey PRIMARY KEY (app_id, customer_id, sequence),
    CONSTRAINT claims_customer_fkey FOREIGN KEY (app_id, customer_id) REFERENCES customers (app_id, customer_id) ON DELETE CASCADE
  )`,
  `CREATE INDEX claims_attribute_idx ON claims (app_id, customer_id, purpose, attribute)`,
  `CREATE TABLE facts (
    app_id text NOT NULL,
    customer_id text NOT NULL,
    purpose smallint NOT NULL,
    attribute text NOT NULL,
    epoch integer NOT NULL,
    document text NOT NULL,
    resolved_at timestamptz(3) NOT NULL,
    CONSTRAINT facts_pkey PRIMARY KEY (app_id, customer_id, purpose, attribute),
    CONSTRAINT facts_customer_fkey FOREIGN KEY (app_id, customer_id) REFERENCES customers (app_id, customer_id) ON DELETE CASCADE
  )`,
  `CREATE TABLE workflows (
    app_id text NOT NULL,
    workflow_id text NOT NULL,
    type text NOT NULL,
    status text NOT NULL,
    subject jsonb NOT NULL,
    error jsonb,
    attempts integer NOT NULL DEFAULT 0,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    CONSTRAINT workflows_pkey PRIMARY KEY (app_id, workflow_id),
    CONSTRAINT workflows_type_check CHECK (type IN ('consent_revocation_cascade', 'profile_recompute', 'ontology_fields_rebuild', 'webhook_delivery')),
    CONSTRAINT workflows_status_check CHECK (status IN ('accepted', 'running', 'completed', 'failed'))
  )`,
  `CREATE INDEX workflows_open_idx ON workflows (app_id, (subject ->> 'customer_id')) WHERE status IN ('accepted', 'running')`,
  `CREATE TABLE outbox (
    app_id text NOT NULL,
    message_id text NOT NULL,
    type text NOT NULL,
    data jsonb NOT NULL,
    customer_id text,
    purpose_mask integer NOT NULL DEFAULT 0,
    epochs integer[],
    created_at timestamptz(3) NOT NULL,
    CONSTRAINT outbox_pkey PRIMARY KEY (app_id, message_id)
  )`,
  `CREATE TABLE work_queue (
    app_id text NOT NULL,
    queue text NOT NULL,
    subject text NOT NULL,
    ready_at timestamptz(3) NOT NULL,
    attempts integer NOT NULL DEFAULT 0,
    CONSTRAINT work_queue_pkey PRIMARY KEY (app_id, queue, subject)
  )`,
  `CREATE INDEX work_queue_ready_idx ON work_queue (queue, ready_at)`,
];
