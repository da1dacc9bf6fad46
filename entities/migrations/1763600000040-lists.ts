import type { QueryRunner } from 'typeorm';
import { Migration } from '../../src/database/Migration.js';

/** An index for every filter of the lists of sessions, events, workflows and customers. */
export class Lists1763600000040 extends Migration {
  async up(runner: QueryRunner): Promise<void> {
    for (const [name, definition] of Object.entries(INDEXES))
      await runner.query(`CREATE INDEX ${name} ON ${definition}`);
  }
}

// A list that is asked for without one of the columns in front of the id reads each of its few values and
// merges.
const INDEXES = {
  connection_sessions_status_idx: 'connection_sessions (app_id, status, session_id)',
  workflows_list_idx: 'workflows (app_id, type, status, workflow_id)',
  events_list_idx: 'events (app_id, status, purpose, event_id)',
  events_customer_idx: 'events (app_id, customer_id, status, purpose, event_id)',
  customers_external_id_prefix_idx: 'customers (app_id, external_id COLLATE "C", customer_id)',
  customers_created_idx: 'customers (app_id, created_at, customer_id)',
  customer_consents_granted_idx: `customer_consents (app_id, purpose, customer_id) WHERE status = 'granted'`,
};
