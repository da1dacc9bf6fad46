import type { Database } from '../database/Database.js';

/** The ids of all apps. */
export async function allApps(database: Database): Promise<string[]> {
  const query = { name: 'all_apps', text: 'SELECT app_id FROM apps ORDER BY app_id' };
  const rows = await database.read<{ app_id: string }>(query);
  return rows.map(({ app_id }) => app_id);
}
