import type { QueryRunner } from 'typeorm';
import { Migration } from '../../src/database/Migration.js';
import { directoryTable } from '../../src/database/protect.js';

/** Hints for subscriptions: which processes want those of an app, and the triggers that send them. */
export class LiveHints1763600000041 extends Migration {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...TABLES, ...FUNCTIONS, ...Object.values(TRIGGERS)])
      await runner.query(statement);
    // Nothing of a customer: an app, a process and a time. Triggers of every app look into it.
    await directoryTable(runner, 'live_interest');
  }
}

const TABLES = [
  `CREATE TABLE live_interest (
    app_id text NOT NULL,
    process_id text NOT NULL,
    expires_at timestamptz(3) NOT NULL,
    CONSTRAINT live_interest_pkey PRIMARY KEY (app_id, process_id)
  )`,
  `CREATE INDEX webhook_deliveries_changed_idx ON webhook_deliveries (app_id, endpoint_id, updated_at, delivery_id)`,
];

// A transaction that notifies commits after those that do, one after another; so only the apps that somebody
// watches do.
const FUNCTIONS = [
  `CREATE FUNCTION is_watched(app text) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT FROM live_interest WHERE app_id = app AND expires_at > now())
  $$`,
  // The kind of hint, and the columns of its ids, are the trigger's arguments.
  `CREATE FUNCTION hint_subject() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      this jsonb;
    BEGIN
      IF is_watched(NEW.app_id) THEN
        this := to_jsonb(NEW);
        PERFORM pg_notify('live_changed', concat_ws(':', TG_ARGV[0], NEW.app_id, this ->> TG_ARGV[1], this ->> TG_ARGV[2]));
      END IF;
      RETURN NULL;
    END $$`,
  `CREATE FUNCTION hint_head() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF is_watched(OLD.app_id) THEN
        PERFORM pg_notify('live_changed', concat_ws(':', 'consent', OLD.app_id, OLD.customer_id));
      END IF;
      RETURN NULL;
    END $$`,
  `CREATE FUNCTION hint_facts() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM pg_notify('live_changed', concat_ws(':', 'profile', f.app_id, f.customer_id))
        FROM (SELECT DISTINCT app_id, customer_id FROM changed_rows) f WHERE is_watched(f.app_id);
      RETURN NULL;
    END $$`,
  `CREATE FUNCTION hint_new_events() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM pg_notify('live_changed', concat_ws(':', 'event', app_id, event_id)) FROM changed_rows WHERE is_watched(app_id);
      RETURN NULL;
    END $$`,
];

const TRIGGERS: Readonly<Record<string, string>> = {
  customer_heads_hint: `CREATE TRIGGER customer_heads_hint AFTER UPDATE ON customer_heads FOR EACH ROW
    WHEN (OLD.granted_mask IS DISTINCT FROM NEW.granted_mask OR OLD.latest_receipt_id IS DISTINCT FROM NEW.latest_receipt_id)
    EXECUTE FUNCTION hint_head()`,
  customer_heads_hint_gone: `CREATE TRIGGER customer_heads_hint_gone AFTER DELETE ON customer_heads FOR EACH ROW EXECUTE FUNCTION hint_head()`,
  customer_consents_hint: `CREATE TRIGGER customer_consents_hint AFTER UPDATE ON customer_consents FOR EACH ROW EXECUTE FUNCTION hint_head()`,
  facts_hint_insert: `CREATE TRIGGER facts_hint_insert AFTER INSERT ON facts
    REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION hint_facts()`,
  facts_hint_update: `CREATE TRIGGER facts_hint_update AFTER UPDATE ON facts
    REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION hint_facts()`,
  facts_hint_delete: `CREATE TRIGGER facts_hint_delete AFTER DELETE ON facts
    REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION hint_facts()`,
  workflows_hint: `CREATE TRIGGER workflows_hint AFTER UPDATE ON workflows
    FOR EACH ROW EXECUTE FUNCTION hint_subject('workflow', 'workflow_id')`,
  connection_sessions_hint: `CREATE TRIGGER connection_sessions_hint AFTER UPDATE ON connection_sessions
    FOR EACH ROW EXECUTE FUNCTION hint_subject('session', 'session_id')`,
  inbox_hint: `CREATE TRIGGER inbox_hint AFTER UPDATE ON inbox
    FOR EACH ROW WHEN (NEW.kind = 'event') EXECUTE FUNCTION hint_subject('event', 'item_id')`,
  events_hint: `CREATE TRIGGER events_hint AFTER UPDATE ON events
    FOR EACH ROW EXECUTE FUNCTION hint_subject('event', 'event_id')`,
  events_hint_new: `CREATE TRIGGER events_hint_new AFTER INSERT ON events
    REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION hint_new_events()`,
  webhook_deliveries_hint: `CREATE TRIGGER webhook_deliveries_hint AFTER INSERT OR UPDATE ON webhook_deliveries
    FOR EACH ROW EXECUTE FUNCTION hint_subject('delivery', 'endpoint_id', 'delivery_id')`,
};
