import { apps } from '../../entities/AppEntity.js';
import { appErasures } from '../../entities/AppErasureEntity.js';
import { ADMIN_SCOPE } from '../commands/CommandContext.js';
import { FOREIGN_KEY_VIOLATION, sqlState } from '../database/sqlState.js';
import { dequeue, postpone } from '../database/workQueue.js';
import type { Services } from '../Services.js';
import type { WorkOutcome } from './QueueWorker.js';

/**
 * Every table of an app, in the order of deletion: referencing rows first. A database function erases the
 * ledger last.
 */
export const TABLES_OF_APPS: readonly string[] = [
  'idempotency_keys',
  'outbox',
  'webhook_attempts',
  'webhook_deliveries',
  'webhook_endpoints',
  'connection_links',
  'connection_sessions',
  'account_links',
  'inbox',
  'event_keys',
  'events',
  'intents',
  'facts',
  'claims',
  'source_accuracies',
  'entry_filters',
  'entry_indexes',
  'entries',
  'ontologies',
  'consent_receipt_purposes',
  'consent_receipts',
  'customer_consents',
  'customer_heads',
  'customers',
  'workflows',
  'oauth_artifacts',
  'graphiql_sessions',
  'app_members',
  'app_logos',
  'live_interest',
  'request_log',
  'work_queue',
  'tallies',
  'tally_changes',
];

/** Rows that one transaction erases. */
const BATCH = 1000;

/** Batches of one step, after which others get their turn. */
const BATCHES = 10;

/**
 * Longer than any request admitted before the app was disabled can take. What such requests left is erased
 * afterwards.
 */
const SETTLE_MS = 60_000;

const BEGIN = {
  name: 'app_erasure_begin',
  text: `UPDATE app_erasures SET status = 'running' WHERE erasure_id = $1 AND status <> 'completed'
    RETURNING app_id`,
};

type Parts = Pick<Services, 'database' | 'clock'>;

/**
 * One step of erasing everything of an app, then the app, then what requests under way may have left. It
 * can be killed anywhere and continues from there.
 */
export async function eraseApp(services: Parts, erasureId: string): Promise<WorkOutcome> {
  const [erasure] = await services.database.read<{ app_id: string }>(BEGIN, [erasureId]);
  if (erasure === undefined) return endWork(services, erasureId);
  const { app_id: appId } = erasure;
  let batches = 0;
  for (const table of TABLES_OF_APPS)
    while ((await eraseBatch(services, erasureId, appId, table)) === BATCH)
      if ((batches += 1) === BATCHES) return 'more';
  if (await removeApp(services, appId)) {
    const readyAt = new Date(services.clock().getTime() + SETTLE_MS);
    await services.database.transaction(null, (tx) => postpone(tx, 'app_erasure', erasureId, readyAt));
    return 'done';
  }
  if (await apps.has(services.database, { app_id: appId })) return 'more';
  if (await eraseLedger(services, erasureId, appId)) return 'more';
  await complete(services, erasureId);
  return 'done';
}

/** @returns the number of rows that it erased */
function eraseBatch({ database }: Parts, erasureId: string, appId: string, table: string): Promise<number> {
  // Row level security lets only operators change ontologies.
  const scope = table === 'ontologies' ? ADMIN_SCOPE : appId;
  return database.transaction(scope, async (tx) => {
    const rows = await tx.execute(
      `DELETE FROM ${table} WHERE app_id = $1 AND ctid = ANY (ARRAY (
         SELECT ctid FROM ${table} WHERE app_id = $1 LIMIT ${BATCH}))`,
      [appId],
    );
    if (rows > 0) await tx.execute(COUNT, [erasureId, table, rows]);
    return rows;
  });
}

const COUNT = `
  UPDATE app_erasures SET erased = erased || jsonb_build_object($2::text,
    coalesce((erased ->> $2)::bigint, 0) + $3::bigint)
   WHERE erasure_id = $1`;

/** @returns whether this call removed it. Rows written meanwhile keep it until the next call */
async function removeApp({ database }: Parts, appId: string): Promise<boolean> {
  try {
    return (await database.transaction(appId, (tx) => apps.delete(tx, { app_id: appId }))) > 0;
  } catch (error) {
    if (sqlState(error) !== FOREIGN_KEY_VIOLATION) throw error;
    return false;
  }
}

/** @returns whether something may be left */
async function eraseLedger({ database }: Parts, erasureId: string, appId: string): Promise<boolean> {
  for (let batch = 0; batch < BATCHES; batch += 1) {
    const erased = await database.transaction(appId, async (tx) => {
      const row = await tx.one<{ erased: number }>(`SELECT erase_ledger($1, ${BATCH}) AS erased`, [appId]);
      const rows = row?.erased ?? 0;
      if (rows > 0) await tx.execute(COUNT, [erasureId, 'consent_ledger', rows]);
      return rows;
    });
    if (erased === 0) return false;
  }
  return true;
}

async function complete({ database, clock }: Parts, erasureId: string): Promise<void> {
  await database.transaction(null, async (tx) => {
    const completed = { status: 'completed', completed_at: clock() } as const;
    await appErasures.update(tx, { erasure_id: erasureId }, completed);
    await dequeue(tx, 'app_erasure', erasureId);
  });
}

async function endWork({ database }: Parts, erasureId: string): Promise<WorkOutcome> {
  await database.transaction(null, (tx) => dequeue(tx, 'app_erasure', erasureId));
  return 'done';
}
