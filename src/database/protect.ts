import type { QueryRunner } from 'typeorm';

/**
 * The role whose grants the service's login inherits. It owns nothing and cannot bypass row level security.
 */
export const SERVICE_ROLE = 'consent_service';

const APP_SETTING = `nullif(current_setting('consent.app_id', true), '')`;

/**
 * Puts an app's table under row level security: a statement sees and writes only rows of the app in
 * `consent.app_id` of its transaction, none without it. FORCE binds the owner too.
 */
export async function protectTable(
  runner: QueryRunner,
  table: string,
  rights = 'SELECT, INSERT, UPDATE, DELETE',
): Promise<void> {
  await runner.query(`ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`);
  await runner.query(`ALTER TABLE ${table} FORCE ROW LEVEL SECURITY`);
  await runner.query(
    `CREATE POLICY ${table}_app ON ${table} USING (app_id = ${APP_SETTING}) WITH CHECK (app_id = ${APP_SETTING})`,
  );
  await directoryTable(runner, table, rights);
}

/** Grants the service a table that is read before any app is known (credentials, work to do). */
export async function directoryTable(
  runner: QueryRunner,
  table: string,
  rights = 'SELECT, INSERT, UPDATE, DELETE',
): Promise<void> {
  await runner.query(`GRANT ${rights} ON ${table} TO ${SERVICE_ROLE}`);
}
