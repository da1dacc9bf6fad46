import type { QueryRunner } from 'typeorm';
import { Migration } from '../../src/database/Migration.js';
import { protectTable } from '../../src/database/protect.js';

/** Events, their keys, intents, and what the inbox needs to carry events. */
export class Events1763600000005 extends Migration {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...INBOX, ...TABLES]) await runner.query(statement);
    for (const table of PROTECTED) await protectTable(runner, table);
  }
}

const PROTECTED = ['events', 'event_keys', 'intents'];

// Rows of the inbox, of events and of event keys are written only under the lock of their customer's head,
// which erasing the customer takes too: a foreign key would check again, row by row, what that lock
// guarantees (a third of the time of accepting).
const INBOX = [
  'ALTER TABLE inbox DROP CONSTRAINT inbox_head_fkey',
  'ALTER TABLE inbox ADD COLUMN failed_at timestamptz(3)',
  'CREATE INDEX inbox_item_idx ON inbox (app_id, item_id)',
];

const TABLES = [
  `CREATE TABLE events (
    app_id text NOT NULL,
    customer_id text NOT NULL,
    sequence bigint NOT NULL,
    event_id text NOT NULL,
    status text NOT NULL,
    purpose smallint NOT NULL,
    epoch integer NOT NULL,
    event_type text,
    object text,
    category text,
    occurred_at timestamptz(3),
    payload jsonb,
    error jsonb,
    accepted_at timestamptz(3) NOT NULL,
    processed_at timestamptz(3) NOT NULL,
    CONSTRAINT events_pkey PRIMARY KEY (app_id, customer_id, sequence),
    CONSTRAINT events_event_id_key UNIQUE (app_id, event_id),
    CONSTRAINT events_status_check CHECK (status IN ('processed', 'rejected', 'failed'))
  )`,
  `CREATE INDEX events_object_idx ON events (app_id, customer_id, purpose, object, occurred_at, sequence) WHERE object IS NOT NULL`,
  `CREATE TABLE event_keys (
    app_id text NOT NULL,
    customer_id text NOT NULL,
    event_key text NOT NULL,
    event_id text NOT NULL,
    sequence bigint NOT NULL,
    purpose smallint NOT NULL,
    epoch integer NOT NULL,
    payload_hash text NOT NULL,
    CONSTRAINT event_keys_pkey PRIMARY KEY (app_id, customer_id, event_key)
  )`,
  `CREATE TABLE intents (
    app_id text NOT NULL,
    customer_id text NOT NULL,
    intent_id text NOT NULL,
    purpose smallint NOT NULL,
    epoch integer NOT NULL,
    category text NOT NULL,
    object text NOT NULL,
    confidence double precision NOT NULL,
    evidence jsonb NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    CONSTRAINT intents_pkey PRIMARY KEY (app_id, customer_id, intent_id),
    CONSTRAINT intents_subject_key UNIQUE (app_id, customer_id, purpose, category, object),
    CONSTRAINT intents_customer_fkey FOREIGN KEY (app_id, customer_id) REFERENCES customers (app_id, customer_id) ON DELETE CASCADE,
    CONSTRAINT intents_category_check CHECK (category IN ('outcome', 'sentiment', 'affiliate', 'habit', 'activation'))
  )`,
];
