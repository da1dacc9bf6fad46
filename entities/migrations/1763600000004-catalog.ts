import type { QueryRunner } from 'typeorm';
import { Migration } from '../../src/database/Migration.js';
import { directoryTable, protectTable } from '../../src/database/protect.js';

const APP_SETTING = `nullif(current_setting('consent.app_id', true), '')`;

/** Ontologies, entries and the index by which entries are filtered. */
export class Catalog1763600000004 extends Migration {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of TABLES) await runner.query(statement);
    for (const table of PROTECTED) await protectTable(runner, table);
    await protectOntologies(runner);
  }
}

const PROTECTED = ['entries', 'entry_indexes', 'entry_filters'];

/**
 * Ontologies belong to the operator: an app reads its own and those of all apps (`*`); only the operator
 * (`admin`) writes.
 */
async function protectOntologies(runner: QueryRunner): Promise<void> {
  await runner.query('ALTER TABLE ontologies ENABLE ROW LEVEL SECURITY');
  await runner.query('ALTER TABLE ontologies FORCE ROW LEVEL SECURITY');
  await runner.query(
    `CREATE POLICY ontologies_read ON ontologies FOR SELECT USING (app_id IN ('*', ${APP_SETTING}) OR ${APP_SETTING} = 'admin')`,
  );
  await runner.query(
    `CREATE POLICY ontologies_write ON ontologies USING (${APP_SETTING} = 'admin') WITH CHECK (${APP_SETTING} = 'admin')`,
  );
  await directoryTable(runner, 'ontologies', 'SELECT, INSERT, UPDATE');
}

const TABLES = [
  `CREATE TABLE ontologies (
    ontology_id text NOT NULL,
    app_id text NOT NULL,
    name text NOT NULL,
    version text NOT NULL,
    fields jsonb NOT NULL,
    identity_fields text[] NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    CONSTRAINT ontologies_pkey PRIMARY KEY (ontology_id)
  )`,
  `CREATE INDEX ontologies_list_idx ON ontologies (created_at, ontology_id)`,
  `CREATE TABLE entries (
    app_id text NOT NULL,
    entry_id text NOT NULL,
    ontology_id text NOT NULL,
    entry_name text,
    owner_id text,
    ingestion_origin text,
    fields jsonb NOT NULL,
    value double precision,
    image_upload_status text,
    media jsonb,
    checksum text NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    CONSTRAINT entries_pkey PRIMARY KEY (app_id, entry_id),
    CONSTRAINT entries_app_fkey FOREIGN KEY (app_id) REFERENCES apps (app_id),
    CONSTRAINT entries_ontology_fkey FOREIGN KEY (ontology_id) REFERENCES ontologies (ontology_id),
    CONSTRAINT entries_image_upload_status_check CHECK (image_upload_status IN ('uploaded', 'staged', 'missing'))
  )`,
  `CREATE INDEX entries_list_idx ON entries (app_id, created_at, entry_id)`,
  `CREATE INDEX entries_ontology_idx ON entries (app_id, ontology_id, created_at, entry_id)`,
  `CREATE TABLE entry_indexes (
    app_id text NOT NULL,
    ontology_id text NOT NULL,
    generation integer NOT NULL DEFAULT 1,
    building integer,
    workflow_id text,
    CONSTRAINT entry_indexes_pkey PRIMARY KEY (app_id, ontology_id),
    CONSTRAINT entry_indexes_ontology_fkey FOREIGN KEY (ontology_id) REFERENCES ontologies (ontology_id)
  )`,
  `CREATE TABLE entry_filters (
    app_id text NOT NULL,
    ontology_id text NOT NULL,
    generation integer NOT NULL,
    slot text NOT NULL,
    value_key text NOT NULL,
    created_at timestamptz(3) NOT NULL,
    entry_id text NOT NULL,
    CONSTRAINT entry_filters_pkey PRIMARY KEY (app_id, ontology_id, generation, slot, value_key, created_at, entry_id),
    CONSTRAINT entry_filters_entry_fkey FOREIGN KEY (app_id, entry_id) REFERENCES entries (app_id, entry_id) ON DELETE CASCADE
  )`,
  `CREATE INDEX entry_filters_entry_idx ON entry_filters (app_id, entry_id)`,
];
