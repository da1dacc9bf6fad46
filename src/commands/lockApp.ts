import { apps } from '../../entities/AppEntity.js';
import { appErasures } from '../../entities/AppErasureEntity.js';
import type { AppRow } from '../../entities/AppEntity.js';
import type { Transaction } from '../database/Transaction.js';
import { conflict, notFound } from '../errors.js';
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

/**
 * An app is not enabled again after its deletion began: part of its data may be gone. The caller holds the
 * app's row, so the deletion began before or sees the app enabled.
 *
 * @throws ServiceError `conflict`
 */
export async function requireKept(tx: Transaction, id: string): Promise<void> {
  if (await appErasures.has(tx, { app_id: id }))
    throw conflict(`The app ${id} is being deleted.`, {
      code: 'app_being_deleted',
      message: 'cannot become active again',
      field: 'status',
    });
}
