import type { QueryRunner } from 'typeorm';
import { Migration } from '../../src/database/Migration.js';
import { directoryTable } from '../../src/database/protect.js';

/** What operators did, append-only, and the deletions of apps. */
export class Operators1763600000060 extends Migration {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
    await directoryTable(runner, 'operator_log', 'SELECT, INSERT');
    await directoryTable(runner, 'app_erasures', 'SELECT, INSERT, UPDATE');
  }
}

const STATEMENTS = [
  `CREATE TABLE operator_log (
    entry_id text NOT NULL,
    at timestamptz(3) NOT NULL,
    operator text NOT NULL,
    via text NOT NULL,
    action text NOT NULL,
    target jsonb NOT NULL,
    request_id text NOT NULL,
    outcome text NOT NULL,
    error text,
    CONSTRAINT operator_log_pkey PRIMARY KEY (entry_id),
    CONSTRAINT operator_log_via_check CHECK (via IN ('request', 'command')),
    CONSTRAINT operator_log_outcome_check CHECK (outcome IN ('begun', 'done', 'refused', 'failed'))
  )`,
  `CREATE INDEX operator_log_request_idx ON operator_log (request_id)`,
  `CREATE TABLE app_erasures (
    erasure_id text NOT NULL,
    app_id text NOT NULL,
    status text NOT NULL,
    erased jsonb NOT NULL DEFAULT '{}',
    created_at timestamptz(3) NOT NULL,
    completed_at timestamptz(3),
    CONSTRAINT app_erasures_pkey PRIMARY KEY (erasure_id),
    CONSTRAINT app_erasures_app_key UNIQUE (app_id),
    CONSTRAINT app_erasures_status_check CHECK (status IN ('accepted', 'running', 'completed'))
  )`,
  // The owner of the tables, as whom commands run, is held to it as well as the service is by its grants.
  `CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
    END $$`,
  `CREATE TRIGGER operator_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON operator_log
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`,
  // The service may not delete from a ledger: this does it, for an app that is gone and whose deletion is
  // recorded.
  `CREATE FUNCTION erase_ledger(app text, most integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    DECLARE
      erased integer;
    BEGIN
      IF EXISTS (SELECT FROM apps a WHERE a.app_id = app)
        OR NOT EXISTS (SELECT FROM app_erasures e WHERE e.app_id = app AND e.status = 'running')
      THEN
        RAISE EXCEPTION 'the app is not being deleted' USING ERRCODE = 'insufficient_privilege';
      END IF;
      DELETE FROM consent_ledger WHERE app_id = app AND ledger_sequence IN (
        SELECT ledger_sequence FROM consent_ledger WHERE app_id = app ORDER BY ledger_sequence LIMIT most);
      GET DIAGNOSTICS erased = ROW_COUNT;
      IF erased = 0 THEN
        DELETE FROM consent_ledger_heads WHERE app_id = app;
      END IF;
      RETURN erased;
    END $$`,
  // Those that an operator made for one app go with it.
  `GRANT DELETE ON ontologies TO consent_service`,
  `REVOKE ALL ON FUNCTION erase_ledger(text, integer) FROM PUBLIC`,
  `GRANT EXECUTE ON FUNCTION erase_ledger(text, integer) TO consent_service`,
];
