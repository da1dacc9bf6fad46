import { APP_ERASURE_COLUMNS } from '../../entities/AppErasureEntity.js';
import type { AppErasureRow } from '../../entities/AppErasureEntity.js';
import type { Transaction } from '../database/Transaction.js';
import { enqueue } from '../database/workQueue.js';
import { newId } from '../domain/ids.js';
import { ServiceError } from '../errors.js';

/**
 * Begins the deletion of an app: it is disabled from this commit on, on every node; `eraseApp` erases what it
 * has. Asked for twice, it answers with the deletion under way.
 *
 * @throws ServiceError `not_found`
 */
export async function deleteApp(tx: Transaction, appId: string, now: Date): Promise<AppErasureRow> {
  const disabled = await tx.one(
    `UPDATE apps SET status = 'disabled', updated_at = $2 WHERE app_id = $1 RETURNING app_id`,
    [appId, now],
  );
  const known = await tx.one<AppErasureRow>(
    `SELECT ${APP_ERASURE_COLUMNS} FROM app_erasures WHERE app_id = $1`,
    [appId],
  );
  if (known !== undefined) return known;
  if (disabled === undefined) throw new ServiceError('not_found', `There is no app ${appId}.`);
  const [erasure] = await tx.query<AppErasureRow>(
    `INSERT INTO app_erasures (erasure_id, app_id, status, created_at) VALUES ($1, $2, 'accepted', $3)
     RETURNING ${APP_ERASURE_COLUMNS}`,
    [newId('ers'), appId, now],
  );
  if (erasure === undefined) throw new Error('The deletion was not stored.');
  await tx.journal?.append({ at: now.toISOString(), app_id: appId, kind: 'app_deleted' });
  enqueue(tx, 'app_erasure', [erasure.erasure_id], now);
  return erasure;
}
