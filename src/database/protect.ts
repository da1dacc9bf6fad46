import type { QueryRunner } from 'typeorm';

/**
 * The role whose grants the service's login role inherits. It owns nothing and cannot bypass row level
 * security.
 */
export const SERVICE_ROLE = 'consent_service';

const APP_SETTING = `nullif(current_setting('consent.app_id', true), '')`;

/**
 * Puts an app's table behind row level security: a statement sees and writes only rows of the app that its
 * transaction named in `consent.app_id`, and none when it named none. FORCE holds the owner to it too.
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

/** Grants a table that is read before any app is known (credentials, work to do) to the service. */
export async function directoryTable(
  runner: QueryRunner,
  table: string,
  rights = 'SELECT, INSERT, UPDATE, DELETE',
): Promise<void> {
  await runner.query(`GRANT ${rights} ON ${table} TO ${SERVICE_ROLE}`);
}
