import type { QueryRunner } from 'typeorm';
import { Migration } from '../../src/database/Migration.js';

/** Asks once a statement and app whether somebody watches, where it was asked for each fact or new event. */
export class HintsByStatement1763600000064 extends Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(hinting('hint_facts', `'profile', app, f.customer_id`, 'SELECT DISTINCT customer_id'));
    await runner.query(hinting('hint_new_events', `'event', app, f.event_id`, 'SELECT event_id'));
  }
}

function hinting(name: string, parts: string, subjects: string): string {
  return `CREATE OR REPLACE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      app text;
    BEGIN
      FOR app IN SELECT DISTINCT app_id FROM changed_rows LOOP
        IF is_watched(app) THEN
          PERFORM pg_notify('live_changed', concat_ws(':', ${parts}))
            FROM (${subjects} FROM changed_rows WHERE app_id = app) f;
        END IF;
      END LOOP;
      RETURN NULL;
    END $$`;
}
