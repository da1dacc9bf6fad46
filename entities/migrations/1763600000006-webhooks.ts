import type { QueryRunner } from 'typeorm';
import { Migration } from '../../src/database/Migration.js';
import { protectTable } from '../../src/database/protect.js';

/** Webhook endpoints, their deliveries and each attempt; and the order of the outbox. */
export class Webhooks1763600000006 extends Migration {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
    for (const table of TABLES) await protectTable(runner, table);
  }
}

const TABLES = ['webhook_endpoints', 'webhook_deliveries', 'webhook_attempts'];

const STATEMENTS = [
  // Taken while the change's rows are locked, so it follows the order of commits where one change waits for
  // another.
  `ALTER TABLE outbox ADD COLUMN position bigint GENERATED ALWAYS AS IDENTITY`,
  `CREATE INDEX outbox_position_idx ON outbox (app_id, position)`,
  // Lets the dispatcher step from app to app, so that one app's backlog cannot hide another's message.
  `CREATE INDEX work_queue_outbox_idx ON work_queue (app_id) WHERE queue = 'outbox'`,
  `CREATE TABLE webhook_endpoints (
    app_id text NOT NULL,
    endpoint_id text NOT NULL,
    url text NOT NULL,
    enabled_events text[] NOT NULL,
    status text NOT NULL,
    disabled_reason text,
    disabled_at timestamptz(3),
    secret text NOT NULL,
    previous_secret text,
    previous_secret_expires_at timestamptz(3),
    last_sequence bigint NOT NULL DEFAULT 0,
    consecutive_failures integer NOT NULL DEFAULT 0,
    failing_since timestamptz(3),
    paused_until timestamptz(3),
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    CONSTRAINT webhook_endpoints_pkey PRIMARY KEY (app_id, endpoint_id),
    CONSTRAINT webhook_endpoints_app_fkey FOREIGN KEY (app_id) REFERENCES apps (app_id) ON DELETE CASCADE,
    CONSTRAINT webhook_endpoints_status_check CHECK (status IN ('active', 'disabled')),
    CONSTRAINT webhook_endpoints_disabled_reason_check CHECK (disabled_reason IN ('gone', 'failing', 'requested'))
  )`,
  `CREATE TABLE webhook_deliveries (
    app_id text NOT NULL,
    delivery_id text NOT NULL,
    endpoint_id text NOT NULL,
    position bigint NOT NULL,
    sequence bigint,
    event_type text NOT NULL,
    data jsonb NOT NULL,
    customer_id text,
    purpose_mask integer NOT NULL DEFAULT 0,
    epochs integer[],
    occurred_at timestamptz(3) NOT NULL,
    status text NOT NULL,
    error_code text,
    attempts integer NOT NULL DEFAULT 0,
    earlier_attempts integer NOT NULL DEFAULT 0,
    next_attempt_at timestamptz(3),
    lease text,
    workflow_id text,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (app_id, delivery_id),
    CONSTRAINT webhook_deliveries_endpoint_fkey FOREIGN KEY (app_id, endpoint_id) REFERENCES webhook_endpoints (app_id, endpoint_id) ON DELETE CASCADE,
    CONSTRAINT webhook_deliveries_customer_fkey FOREIGN KEY (app_id, customer_id) REFERENCES customers (app_id, customer_id) ON DELETE CASCADE,
    CONSTRAINT webhook_deliveries_status_check CHECK (status IN ('pending', 'delivered', 'failed', 'dropped'))
  )`,
  `CREATE INDEX webhook_deliveries_endpoint_idx ON webhook_deliveries (app_id, endpoint_id, delivery_id)`,
  `CREATE INDEX webhook_deliveries_customer_idx ON webhook_deliveries (app_id, customer_id)`,
  `CREATE INDEX webhook_deliveries_due_idx ON webhook_deliveries (app_id, endpoint_id, next_attempt_at, position) WHERE status = 'pending'`,
  `CREATE INDEX webhook_deliveries_ended_idx ON webhook_deliveries (app_id, updated_at) WHERE status <> 'pending'`,
  `CREATE INDEX webhook_deliveries_leased_idx ON webhook_deliveries (app_id, endpoint_id) WHERE lease IS NOT NULL`,
  `CREATE TABLE webhook_attempts (
    app_id text NOT NULL,
    delivery_id text NOT NULL,
    attempt integer NOT NULL,
    started_at timestamptz(3) NOT NULL,
    duration_ms integer NOT NULL,
    status_code integer,
    error_code text,
    response_body text,
    CONSTRAINT webhook_attempts_pkey PRIMARY KEY (app_id, delivery_id, attempt),
    CONSTRAINT webhook_attempts_delivery_fkey FOREIGN KEY (app_id, delivery_id) REFERENCES webhook_deliveries (app_id, delivery_id) ON DELETE CASCADE
  )`,
  // For metrics, over all apps: row level security is kept, each app is visited as itself. Counts only.
  `CREATE FUNCTION webhook_backlog(OUT pending bigint, OUT oldest_at timestamptz, OUT failing_endpoints bigint, OUT disabled_endpoints bigint)
    LANGUAGE plpgsql AS $$
    DECLARE
      app record;
      here record;
    BEGIN
      pending := 0; failing_endpoints := 0; disabled_endpoints := 0;
      FOR app IN SELECT app_id FROM apps LOOP
        PERFORM set_config('consent.app_id', app.app_id, true);
        SELECT count(*) FILTER (WHERE status = 'disabled') AS disabled,
               count(*) FILTER (WHERE status = 'active' AND failing_since IS NOT NULL) AS failing
          INTO here FROM webhook_endpoints WHERE app_id = app.app_id;
        disabled_endpoints := disabled_endpoints + here.disabled;
        failing_endpoints := failing_endpoints + here.failing;
        SELECT count(*) AS count, min(d.occurred_at) AS oldest INTO here FROM webhook_deliveries d
         WHERE d.app_id = app.app_id AND d.status = 'pending';
        pending := pending + here.count;
        oldest_at := least(oldest_at, here.oldest);
      END LOOP;
      PERFORM set_config('consent.app_id', '', true);
    END $$`,
  // A delivery goes with its customer or its endpoint; whoever polls its workflow must learn that it ended.
  `CREATE FUNCTION end_webhook_workflow() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE workflows SET status = 'failed', updated_at = now(),
             error = jsonb_build_object('code', 'delivery_removed', 'message', 'The customer or the endpoint of the delivery was deleted.')
       WHERE app_id = OLD.app_id AND workflow_id = OLD.workflow_id AND status IN ('accepted', 'running');
      RETURN NULL;
    END $$`,
  `CREATE TRIGGER webhook_deliveries_removed AFTER DELETE ON webhook_deliveries
    FOR EACH ROW WHEN (OLD.status = 'pending') EXECUTE FUNCTION end_webhook_workflow()`,
];
