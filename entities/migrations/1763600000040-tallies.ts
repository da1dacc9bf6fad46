import type { QueryRunner } from 'typeorm';
import { Migration } from '../../src/database/Migration.js';
import { protectTable } from '../../src/database/protect.js';

const LIVE_FACTS = ['customer_heads', 'facts', 'tally_changes'];

/**
 * Numbers of an app, kept while they change: `tally_changes` is appended to by the transactions of the
 * changes, so that none waits for another; a job adds them up into `tallies`, one row an hour. And the log of
 * requests, and the consent timeline's index.
 */
export class Tallies1763600000040 extends Migration {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of TABLES) await runner.query(statement);
    for (const table of PROTECTED) await protectTable(runner, table);
    for (const statement of FUNCTIONS) await runner.query(statement);
    await countWhatIs(runner);
    for (const statement of TRIGGERS) await runner.query(statement);
  }
}

const PROTECTED = ['tallies', 'tally_changes', 'request_log'];

const TABLES = [
  `CREATE TABLE tallies (
    app_id text NOT NULL,
    measure text NOT NULL,
    hour timestamptz(3) NOT NULL,
    key smallint NOT NULL,
    amount bigint NOT NULL,
    CONSTRAINT tallies_pkey PRIMARY KEY (app_id, measure, hour, key),
    CONSTRAINT tallies_app_fkey FOREIGN KEY (app_id) REFERENCES apps (app_id) ON DELETE CASCADE
  )`,
  `CREATE TABLE tally_changes (
    app_id text NOT NULL,
    change_id bigint GENERATED ALWAYS AS IDENTITY,
    measure text NOT NULL,
    key smallint NOT NULL,
    amount integer NOT NULL,
    changed_at timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT tally_changes_pkey PRIMARY KEY (app_id, change_id)
  )`,
  `CREATE TABLE request_log (
    app_id text NOT NULL,
    entry_id bigint GENERATED ALWAYS AS IDENTITY,
    request_id text NOT NULL,
    received_at timestamptz(3) NOT NULL,
    method text NOT NULL,
    route text NOT NULL,
    operation text,
    status smallint NOT NULL,
    code text,
    duration_us integer NOT NULL,
    CONSTRAINT request_log_pkey PRIMARY KEY (app_id, entry_id),
    CONSTRAINT request_log_app_fkey FOREIGN KEY (app_id) REFERENCES apps (app_id) ON DELETE CASCADE
  )`,
  `CREATE INDEX request_log_request_idx ON request_log (app_id, request_id, entry_id)`,
  `CREATE INDEX request_log_failed_idx ON request_log (app_id, status, entry_id) WHERE status >= 400`,
  `CREATE INDEX consent_ledger_customer_idx ON consent_ledger (app_id, ((record::jsonb) ->> 'customer_id'), ledger_sequence)`,
  // Null in facts from before; their documents tell.
  `ALTER TABLE facts ADD COLUMN confidence real`,
];

const FUNCTIONS = [
  // Purposes and deciles of confidence share a key: ten for each purpose.
  `CREATE FUNCTION fact_tally_key(purpose smallint, confidence real, document text) RETURNS smallint LANGUAGE sql IMMUTABLE AS $$
    SELECT (purpose * 10 + least(9, greatest(0, floor(coalesce(confidence, (document::jsonb ->> 'confidence')::real) * 10))))::smallint
  $$`,
  `CREATE FUNCTION is_live(granted_mask integer, epochs integer[], purpose smallint, epoch integer) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
    SELECT coalesce((granted_mask >> purpose) & 1 = 1 AND epochs[purpose + 1] = epoch, false)
  $$`,
  // Heads are loaded in bulk only by those who bring customers in; one row is the rule.
  `CREATE FUNCTION tally_new_heads() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO tally_changes (app_id, measure, key, amount)
      SELECT app_id, 'customers', -1, count(*) FROM new_rows GROUP BY app_id
      UNION ALL
      SELECT app_id, 'consent', purpose, count(*) FROM new_rows CROSS JOIN generate_series(0, 30) AS purpose
       WHERE (granted_mask >> purpose) & 1 = 1 GROUP BY app_id, purpose;
      RETURN NULL;
    END $$`,
  // In the transaction of the decision: a withdrawn purpose leaves its numbers when its gate closes, not when
  // the erasure is done.
  `CREATE FUNCTION tally_changed_head() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO tally_changes (app_id, measure, key, amount)
      SELECT NEW.app_id, 'consent', purpose, CASE WHEN (NEW.granted_mask >> purpose) & 1 = 1 THEN 1 ELSE -1 END
        FROM generate_series(0, 30) AS purpose WHERE ((NEW.granted_mask # OLD.granted_mask) >> purpose) & 1 = 1;
      INSERT INTO tally_changes (app_id, measure, key, amount)
      SELECT NEW.app_id, 'facts', fact_tally_key(f.purpose, f.confidence, f.document),
             sum(is_live(NEW.granted_mask, NEW.epochs, f.purpose, f.epoch)::integer
                 - is_live(OLD.granted_mask, OLD.epochs, f.purpose, f.epoch)::integer) AS change
        FROM facts f WHERE f.app_id = NEW.app_id AND f.customer_id = NEW.customer_id
       GROUP BY 3
      HAVING sum(is_live(NEW.granted_mask, NEW.epochs, f.purpose, f.epoch)::integer
                 - is_live(OLD.granted_mask, OLD.epochs, f.purpose, f.epoch)::integer) <> 0;
      RETURN NULL;
    END $$`,
  // Before any row goes: in which order the foreign keys remove heads and facts is PostgreSQL's to choose.
  `CREATE FUNCTION tally_erased_customer() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE customer_heads SET granted_mask = 0 WHERE app_id = OLD.app_id AND customer_id = OLD.customer_id;
      INSERT INTO tally_changes (app_id, measure, key, amount) VALUES (OLD.app_id, 'customers', -1, -1);
      RETURN OLD;
    END $$`,
  // A fact counts while it can be read. One of a closed purpose left the numbers already, so its erasure
  // changes none.
  ...['INSERT', 'UPDATE', 'DELETE'].map(
    (
      operation,
    ) => `CREATE FUNCTION tally_facts_${operation.toLowerCase()}() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO tally_changes (app_id, measure, key, amount)
      SELECT f.app_id, 'facts', fact_tally_key(f.purpose, f.confidence, f.document), sum(f.change)
        FROM (${changedFacts(operation)}) f
        JOIN customer_heads h ON h.app_id = f.app_id AND h.customer_id = f.customer_id
       WHERE is_live(h.granted_mask, h.epochs, f.purpose, f.epoch)
       GROUP BY 1, 3 HAVING sum(f.change) <> 0;
      RETURN NULL;
    END $$`,
  ),
  `CREATE FUNCTION tally_ended_delivery() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO tally_changes (app_id, measure, key, amount) VALUES (NEW.app_id, 'delivery_' || NEW.status, -1, 1);
      RETURN NULL;
    END $$`,
];

function changedFacts(operation: string): string {
  const added = 'SELECT app_id, customer_id, purpose, epoch, confidence, document, 1 AS change FROM new_rows';
  const removed =
    'SELECT app_id, customer_id, purpose, epoch, confidence, document, -1 AS change FROM old_rows';
  if (operation === 'INSERT') return added;
  return operation === 'DELETE' ? removed : `${added} UNION ALL ${removed}`;
}

const TRIGGERS = [
  `CREATE TRIGGER customer_heads_tally_new AFTER INSERT ON customer_heads
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION tally_new_heads()`,
  `CREATE TRIGGER customer_heads_tally_changed AFTER UPDATE ON customer_heads
    FOR EACH ROW WHEN (OLD.granted_mask IS DISTINCT FROM NEW.granted_mask) EXECUTE FUNCTION tally_changed_head()`,
  `CREATE TRIGGER customers_tally_erased BEFORE DELETE ON customers
    FOR EACH ROW EXECUTE FUNCTION tally_erased_customer()`,
  `CREATE TRIGGER facts_tally_insert AFTER INSERT ON facts
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION tally_facts_insert()`,
  `CREATE TRIGGER facts_tally_update AFTER UPDATE ON facts
    REFERENCING NEW TABLE AS new_rows OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION tally_facts_update()`,
  `CREATE TRIGGER facts_tally_delete AFTER DELETE ON facts
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION tally_facts_delete()`,
  `CREATE TRIGGER webhook_deliveries_tally AFTER UPDATE ON webhook_deliveries
    FOR EACH ROW WHEN (OLD.status = 'pending' AND NEW.status <> 'pending') EXECUTE FUNCTION tally_ended_delivery()`,
];

/** The owner is bound by the policies too; without an app it would see nothing. */
async function countWhatIs(runner: QueryRunner): Promise<void> {
  for (const table of LIVE_FACTS) await runner.query(`ALTER TABLE ${table} NO FORCE ROW LEVEL SECURITY`);
  await runner.query(
    `INSERT INTO tally_changes (app_id, measure, key, amount)
     SELECT app_id, 'customers', -1, count(*) FROM customer_heads GROUP BY app_id
     UNION ALL
     SELECT app_id, 'consent', purpose, count(*) FROM customer_heads CROSS JOIN generate_series(0, 30) AS purpose
      WHERE (granted_mask >> purpose) & 1 = 1 GROUP BY app_id, purpose
     UNION ALL
     SELECT f.app_id, 'facts', fact_tally_key(f.purpose, f.confidence, f.document), count(*)
       FROM facts f JOIN customer_heads h ON h.app_id = f.app_id AND h.customer_id = f.customer_id
      WHERE is_live(h.granted_mask, h.epochs, f.purpose, f.epoch) GROUP BY 1, 3`,
  );
  for (const table of LIVE_FACTS) await runner.query(`ALTER TABLE ${table} FORCE ROW LEVEL SECURITY`);
}
