import { withdrawConnection } from '../commands/withdrawConnection.js';
import { dequeue, postpone } from '../database/workQueue.js';
import type { AccountServices } from './AccountServices.js';

interface Link extends Record<string, unknown> {
  app_id: string;
  customer_id: string;
}

interface Erasure extends Record<string, unknown> {
  account_id: string;
  workflows: { app: string; workflow: string }[];
}

const LOOK_AGAIN_MS = 1000;

/**
 * Withdraws everything that an account allowed and unlinks it, one connection per transaction, then removes
 * the account and waits for the cascades. Killed anywhere, it goes on from there; done twice at once, the
 * second finds nothing to do.
 */
export async function eraseAccount(services: AccountServices, erasureId: string): Promise<void> {
  const accountId = await begin(services, erasureId);
  if (accountId === undefined) return;
  for (;;) {
    const [link] = await services.database.read<Link>(NEXT_LINK, [accountId]);
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
  { app_id: appId, customer_id: customerId }: Link,
): Promise<void> {
  await database.transaction(appId, async (tx) => {
    const context = { appId, now: clock(), clock, secrets, rejected: new Map() };
    const { workflowIds } = await withdrawConnection(tx, context, { customerId, accountId });
    await tx.execute(
      `UPDATE connection_sessions SET service_user_id = NULL
        WHERE app_id = $1 AND customer_id = $2 AND service_user_id = $3`,
      [appId, customerId, accountId],
    );
    await tx.execute('DELETE FROM account_links WHERE account_id = $1 AND app_id = $2 AND customer_id = $3', [
      accountId,
      appId,
      customerId,
    ]);
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
    await tx.execute('DELETE FROM accounts WHERE account_id = $1', [accountId]);
    if (!isErased) return postpone(tx, 'account', erasureId, new Date(clock().getTime() + LOOK_AGAIN_MS));
    await tx.execute(
      `UPDATE account_erasures SET status = 'completed', completed_at = $2 WHERE erasure_id = $1`,
      [erasureId, clock()],
    );
    return dequeue(tx, 'account', erasureId);
  });
}

async function cascadesHaveEnded({ database }: AccountServices, erasureId: string): Promise<boolean> {
  const [erasure] = await database.read<Erasure>(WORKFLOWS, [erasureId]);
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

const NEXT_LINK = {
  name: 'account_erasure_link',
  text: 'SELECT app_id, customer_id FROM account_links WHERE account_id = $1 ORDER BY app_id, customer_id LIMIT 1',
};

const WORKFLOWS = {
  name: 'account_erasure_workflows',
  text: 'SELECT account_id, workflows FROM account_erasures WHERE erasure_id = $1',
};

const OPEN_WORKFLOW = {
  name: 'account_erasure_open',
  text: `SELECT 1 FROM workflows WHERE app_id = $1 AND workflow_id = $2
    AND status IN ('accepted', 'running')`,
};
