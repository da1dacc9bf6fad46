import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The lists of events by customer and by purpose pass over events without content. */
export class ToldEvents1763600000060 implements MigrationInterface {
  readonly name = 'ToldEvents1763600000060';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX events_list_idx');
    await runner.query('DROP INDEX events_customer_idx');
    await runner.query('CREATE INDEX events_list_idx ON events (app_id, status, purpose, (payload IS NULL), event_id)');
    await runner.query(
      `CREATE INDEX events_customer_idx ON events (app_id, customer_id, status, purpose, event_id)
         WHERE payload IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX events_list_idx');
    await runner.query('DROP INDEX events_customer_idx');
    await runner.query('CREATE INDEX events_list_idx ON events (app_id, status, purpose, event_id)');
    await runner.query('CREATE INDEX events_customer_idx ON events (app_id, customer_id, status, purpose, event_id)');
  }
}
