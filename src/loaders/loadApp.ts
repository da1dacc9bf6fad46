import type { App } from '../../schema/types/App.js';
import { APP_COLUMNS, toApp } from '../../entities/AppEntity.js';
import type { AppRow } from '../../entities/AppEntity.js';
import type { Services } from '../Services.js';

const BY_ID = { name: 'app_by_id', text: `SELECT ${APP_COLUMNS} FROM apps WHERE app_id = $1` };

export async function loadApp(services: Services, id: string): Promise<App | undefined> {
  const [row] = await services.database.read<AppRow>(BY_ID, [id]);
  return row === undefined ? undefined : toApp(row);
}
