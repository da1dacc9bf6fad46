import type { QueryRunner } from 'typeorm';
import { Migration } from '../../src/database/Migration.js';

/**
 * Hints that the subject of a subscription was deleted: its stream told nothing more, and never ended. Of a
 * deleted endpoint the hint names a delivery that there is not.
 */
export class HintsOfDeletions1763600000070 extends Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(HINT);
    for (const [table, kind, id, changed] of SUBJECTS)
      await runner.query(
        `CREATE TRIGGER ${table}_hint_gone AFTER DELETE ON ${table} REFERENCING OLD TABLE AS changed_rows
           FOR EACH STATEMENT EXECUTE FUNCTION hint_gone('${kind}', '${id}'${changed})`,
      );
  }
}

const HINT = `CREATE FUNCTION hint_gone() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM pg_notify('live_changed', concat_ws(':', TG_ARGV[0], r.app_id, to_jsonb(r) ->> TG_ARGV[1], TG_ARGV[2]))
        FROM (SELECT app_id FROM changed_rows GROUP BY app_id HAVING is_watched(app_id)) a
        JOIN changed_rows r USING (app_id);
      RETURN NULL;
    END $$`;

const SUBJECTS: readonly (readonly [table: string, kind: string, id: string, changed: string])[] = [
  ['connection_sessions', 'session', 'session_id', ''],
  ['events', 'event', 'event_id', ''],
  ['workflows', 'workflow', 'workflow_id', ''],
  ['webhook_endpoints', 'delivery', 'endpoint_id', `, 'none'`],
];
