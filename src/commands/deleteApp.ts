import { apps } from '../../entities/AppEntity.js';
import { appErasures } from '../../entities/AppErasureEntity.js';
import type { AppErasureRow } from '../../entities/AppErasureEntity.js';
import type { Transaction } from '../database/Transaction.js';
import { enqueue } from '../database/workQueue.js';
import { newId } from '../domain/ids.js';
import { ServiceError } from '../errors.js';
import { timeOfChange } from './timeOfChange.js';

/**
 * Starts the deletion of an app. The app is disabled on every node from this commit on; `eraseApp` erases its
 * data. A second request returns the deletion under way.
 *
 * @throws ServiceError `not_found`
 */
export async function deleteApp(tx: Transaction, appId: string, now: Date): Promise<AppErasureRow> {
  const stored = await apps.find(tx, ['updated_at'], { app_id: appId }, 'FOR UPDATE');
  if (stored !== undefined) {
    const updatedAt = timeOfChange(now, stored.updated_at);
    await apps.update(tx, { app_id: appId }, { status: 'disabled', updated_at: updatedAt });
  }
  const known = await appErasures.find(tx, appErasures.columns, { app_id: appId });
  if (known !== undefined) return known;
  if (stored === undefined) throw new ServiceError('not_found', `There is no app ${appId}.`);
  const begun = { erasure_id: newId('ers'), app_id: appId, status: 'accepted', created_at: now } as const;
  const erasure = await appErasures.insertNew(tx, begun);
  if (erasure === undefined) throw new Error('The deletion was not stored.');
  tx.toJournal({ at: now.toISOString(), app_id: appId, kind: 'app_deleted' });
  enqueue(tx, 'app_erasure', [erasure.erasure_id], now);
  return erasure;
}
