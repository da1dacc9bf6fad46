/**
 * The trigger functions of the apps' tables for workers. A trigger there belongs to one shard and may write
 * only to shards with the same apps on the same node. Each is a copy of the function of that name in the
 * migrations, with such shards as tables. `npm run distribute` installs them;
 * `test/database/citus/shardTriggers.test.ts` fails when a migration changes an original.
 */

/** The shard of another table that holds the same apps' rows. */
const BESIDE = `CREATE OR REPLACE FUNCTION shard_beside(shard name, wanted text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT wanted || '_' || b.shardid FROM pg_dist_shard a
    JOIN pg_dist_shard b ON b.logicalrelid = wanted::regclass AND b.shardminvalue = a.shardminvalue
   WHERE a.shardid = substring(shard FROM '\\d+$')::bigint
$$`;

const CHANGE_ID = `nextval('tally_changes_change_id_seq')`;

/**
 * What follows `INSERT INTO tally_changes (app_id, change_id, measure, key, amount)`. `%2$I` is another
 * co-located shard.
 */
const insertChanges = (select: string, other = 'customer_heads'): string =>
  `EXECUTE format($sql$INSERT INTO %1$I (app_id, change_id, measure, key, amount) ${select}$sql$,
     shard_beside(TG_TABLE_NAME, 'tally_changes'), shard_beside(TG_TABLE_NAME, '${other}'))`;

const trigger = (name: string, body: string, answer = 'NULL'): string =>
  `CREATE OR REPLACE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body}; RETURN ${answer}; END $$`;

const LIVE_NOW = 'is_live($1.granted_mask, $1.epochs, f.purpose, f.epoch)::integer';
const LIVE_BEFORE = 'is_live($2.granted_mask, $2.epochs, f.purpose, f.epoch)::integer';

const ADDED = 'SELECT app_id, customer_id, purpose, epoch, confidence, document, 1 AS change FROM new_rows';
const REMOVED =
  'SELECT app_id, customer_id, purpose, epoch, confidence, document, -1 AS change FROM old_rows';

const tallyFacts = (operation: string, changed: string): string =>
  trigger(
    `tally_facts_${operation}`,
    insertChanges(`SELECT app_id, ${CHANGE_ID}, 'facts', tally_key, change FROM (
      SELECT f.app_id, fact_tally_key(f.purpose, f.confidence, f.document) AS tally_key,
             sum(f.change) AS change
        FROM (${changed}) f JOIN %2$I h ON h.app_id = f.app_id AND h.customer_id = f.customer_id
       WHERE is_live(h.granted_mask, h.epochs, f.purpose, f.epoch)
       GROUP BY 1, 2 HAVING sum(f.change) <> 0) s`),
  );

/** By the name of the replaced function. */
export const SHARD_TRIGGERS: Readonly<Record<string, string>> = {
  tally_new_heads: trigger(
    'tally_new_heads',
    insertChanges(`SELECT app_id, ${CHANGE_ID}, measure, key, amount FROM (
      SELECT app_id, 'customers' AS measure, -1 AS key, count(*) AS amount FROM new_rows GROUP BY app_id
      UNION ALL
      SELECT app_id, 'consent', purpose, count(*) FROM new_rows CROSS JOIN generate_series(0, 30) AS purpose
       WHERE (granted_mask >> purpose) & 1 = 1 GROUP BY app_id, purpose) s`),
  ),
  tally_changed_head: trigger(
    'tally_changed_head',
    `${insertChanges(`SELECT $1.app_id, ${CHANGE_ID}, 'consent', purpose, CASE WHEN ($1.granted_mask >> purpose) & 1 = 1 THEN 1 ELSE -1 END
       FROM generate_series(0, 30) AS purpose WHERE (($1.granted_mask # $2.granted_mask) >> purpose) & 1 = 1`)} USING NEW, OLD;
     ${insertChanges(
       `SELECT $1.app_id, ${CHANGE_ID}, 'facts', tally_key, change FROM (
         SELECT fact_tally_key(f.purpose, f.confidence, f.document) AS tally_key, sum(${LIVE_NOW} - ${LIVE_BEFORE}) AS change
           FROM %2$I f WHERE f.app_id = $1.app_id AND f.customer_id = $1.customer_id
          GROUP BY 1 HAVING sum(${LIVE_NOW} - ${LIVE_BEFORE}) <> 0) s`,
       'facts',
     )} USING NEW, OLD`,
  ),
  tally_erased_customer: trigger(
    'tally_erased_customer',
    `EXECUTE format('UPDATE %I SET granted_mask = 0 WHERE app_id = $1 AND customer_id = $2',
       shard_beside(TG_TABLE_NAME, 'customer_heads')) USING OLD.app_id, OLD.customer_id;
     ${insertChanges(`VALUES ($1, ${CHANGE_ID}, 'customers', -1, -1)`)} USING OLD.app_id`,
    'OLD',
  ),
  tally_facts_insert: tallyFacts('insert', ADDED),
  tally_facts_update: tallyFacts('update', `${ADDED} UNION ALL ${REMOVED}`),
  tally_facts_delete: tallyFacts('delete', REMOVED),
  tally_ended_delivery: trigger(
    'tally_ended_delivery',
    `${insertChanges(`VALUES ($1, ${CHANGE_ID}, 'delivery_' || $2, -1, 1)`)} USING NEW.app_id, NEW.status`,
  ),
  end_webhook_workflow: trigger(
    'end_webhook_workflow',
    `EXECUTE format($sql$UPDATE %I SET status = 'failed', updated_at = now(),
        error = jsonb_build_object('code', 'delivery_removed', 'message', 'The customer or the endpoint of the delivery was deleted.')
       WHERE app_id = $1 AND workflow_id = $2 AND status IN ('accepted', 'running')$sql$,
       shard_beside(TG_TABLE_NAME, 'workflows')) USING OLD.app_id, OLD.workflow_id`,
  ),
};

/**
 * Numbers that order an app's rows: microseconds, above any number of the app. Sequences do not work: each
 * node has its own range, so the order would be lost when a shard moves, and ranges from the 32nd node on
 * exceed JavaScript's exact integers.
 */
const orderedBy = (name: string, column: string): string =>
  trigger(
    name,
    `EXECUTE format('SELECT greatest(floor(extract(epoch FROM clock_timestamp()) * 1000000)::bigint,
       (SELECT max(${column}) + 1 FROM %I WHERE app_id = $1))', TG_TABLE_NAME) USING NEW.app_id INTO NEW.${column}`,
    'NEW',
  );

interface Order {
  table: string;
  trigger: string;
  /** The trigger's function. */
  name: string;
  text: string;
}

/** Distributed tables with such an order. `tally_changes` has a sequence, but no order. */
export const ORDERS: readonly Order[] = [
  {
    table: 'outbox',
    trigger: 'outbox_place',
    name: 'place_message',
    text: orderedBy('place_message', 'position'),
  },
  {
    table: 'request_log',
    trigger: 'request_log_place',
    name: 'place_entry',
    text: orderedBy('place_entry', 'entry_id'),
  },
];

/** Objects that the triggers depend on. */
export const SHARD_HELPERS: readonly string[] = [BESIDE, ...ORDERS.map(({ text }) => text)];
