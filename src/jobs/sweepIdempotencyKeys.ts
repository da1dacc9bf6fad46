import { ADMIN_SCOPE } from '../commands/CommandContext.js';
import { REPLAY_MS } from '../domain/idempotency.js';
import type { Services } from '../Services.js';
import { forEachApp } from './forEachApp.js';

const BATCH = 1000;

/**
 * Erases expired idempotency keys with their stored answers and the secrets in them
 * (docs/contract.md#idempotency).
 *
 * @returns whether there may be more
 */
export async function sweepIdempotencyKeys(services: Pick<Services, 'database'>): Promise<boolean> {
  const sweep = async (appId: string): Promise<boolean> => {
    const rows = await services.database.readAs(appId, EXPIRED, [appId]);
    return rows.length === BATCH;
  };
  return forEachApp(services.database, sweep, [ADMIN_SCOPE]);
}

const EXPIRED = {
  name: 'sweep_idempotency_keys',
  text: `DELETE FROM idempotency_keys WHERE app_id = $1 AND key IN (
           SELECT key FROM idempotency_keys
            WHERE app_id = $1 AND created_at < now() - interval '${REPLAY_MS} milliseconds'
            ORDER BY created_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
         RETURNING key`,
};
