import { accounts } from '../../entities/AccountEntity.js';
import { accountErasures } from '../../entities/AccountErasureEntity.js';
import { accountLinks } from '../../entities/AccountLinkEntity.js';
import { connectionSessions } from '../../entities/ConnectionSessionEntity.js';
import { contextAt } from '../commands/CommandContext.js';
import { withdrawConnection } from '../commands/withdrawConnection.js';
import { dequeue, postpone } from '../database/workQueue.js';
import type { AccountServices } from './AccountServices.js';

const LOOK_AGAIN_MS = 1000;

/**
 * Withdraws all approvals of an account, one connection per transaction, then deletes the account and waits
 * for the cascades. It can be killed at any point and run again, even concurrently.
 */
export async function eraseAccount(services: AccountServices, erasureId: string): Promise<void> {
  const accountId = await begin(services, erasureId);
  if (accountId === undefined) return;
  for (;;) {
    const key = ['app_id', 'customer_id'] as const;
    const order = 'ORDER BY app_id, customer_id LIMIT 1';
    const link = await accountLinks.find(services.database, key, { account_id: accountId }, order);
    if (link === undefined) break;
    await endConnection(services, erasureId, accountId, link);
  }
  await finish(services, erasureId, accountId);
}

async function begin({ database }: AccountServices, erasureId: string): Promise<string | undefined> {
  const [erasure] = await database.read<{ account_id: string }>(BEGIN, [erasureId]);
  return erasure?.account_id;
}

async function endConnection(
  { database, clock, secrets }: AccountServices,
  erasureId: string,
  accountId: string,
  link: { app_id: string; customer_id: string },
): Promise<void> {
  const { app_id: appId, customer_id: customerId } = link;
  await database.transaction(appId, async (tx) => {
    const context = { ...contextAt(appId, clock), secrets };
    const { workflowIds } = await withdrawConnection(tx, context, { customerId, accountId });
    await connectionSessions.update(tx, { ...link, service_user_id: accountId }, { service_user_id: null });
    await tx.execute(ERASE_REPLAYS, [appId, customerId, accountId]);
    await accountLinks.delete(tx, { ...link, account_id: accountId });
    const begun = workflowIds.map((workflow) => ({ app: appId, workflow }));
    await tx.execute('UPDATE account_erasures SET workflows = workflows || $2::jsonb WHERE erasure_id = $1', [
      erasureId,
      JSON.stringify(begun),
    ]);
  });
}

async function finish(services: AccountServices, erasureId: string, accountId: string): Promise<void> {
  const { database, clock } = services;
  const isErased = await cascadesHaveEnded(services, erasureId);
  await database.transaction(null, async (tx) => {
    await accounts.delete(tx, { account_id: accountId });
    if (!isErased) return postpone(tx, 'account', erasureId, new Date(clock().getTime() + LOOK_AGAIN_MS));
    const completed = { status: 'completed', completed_at: clock() };
    await accountErasures.update(tx, { erasure_id: erasureId }, completed);
    return dequeue(tx, 'account', erasureId);
  });
}

async function cascadesHaveEnded({ database }: AccountServices, erasureId: string): Promise<boolean> {
  const erasure = await accountErasures.find(database, ['workflows'], { erasure_id: erasureId });
  for (const { app, workflow } of erasure?.workflows ?? []) {
    const open = await database.readAs(app, OPEN_WORKFLOW, [app, workflow]);
    if (open.length > 0) return false;
  }
  return true;
}

const BEGIN = {
  name: 'account_erasure_begin',
  text: `UPDATE account_erasures SET status = 'running' WHERE erasure_id = $1 AND status <> 'completed'
         RETURNING account_id`,
};

/** Answers that show the account: those to the cancellation of a session. */
const ERASE_REPLAYS = `
  DELETE FROM idempotency_keys WHERE app_id = $1 AND customer_id = $2 AND position($3 IN result) > 0`;

const OPEN_WORKFLOW = {
  name: 'account_erasure_open',
  text: `SELECT 1 FROM workflows WHERE app_id = $1 AND workflow_id = $2
    AND status IN ('accepted', 'running')`,
};
