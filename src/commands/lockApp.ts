import { apps } from '../../entities/AppEntity.js';
import type { AppRow } from '../../entities/AppEntity.js';
import type { Transaction } from '../database/Transaction.js';
import { notFound } from '../errors.js';
import { ADMIN_SCOPE } from './CommandContext.js';
import type { CommandContext } from './CommandContext.js';

/**
 * The app's row, locked for a change by its own token or an administrative key. @throws ServiceError
 * `not_found`
 */
export async function lockApp(tx: Transaction, { appId }: CommandContext, id: string): Promise<AppRow> {
  const isOwn = appId === ADMIN_SCOPE || appId === id;
  const row = isOwn ? await apps.find(tx, apps.columns, { app_id: id }, 'FOR UPDATE') : undefined;
  if (row === undefined) throw notFound('app');
  return row;
}
