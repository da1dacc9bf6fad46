import type { Database } from './Database.js';

const APPS = { name: 'all_apps', text: 'SELECT app_id FROM apps ORDER BY app_id' };

/** The ids of all apps. Row level security shows one app at a time, so work on all goes from app to app. */
export async function allApps(database: Database): Promise<string[]> {
  const rows = await database.read<{ app_id: string }>(APPS);
  return rows.map(({ app_id }) => app_id);
}
