import type { Database } from '../../database/Database.js';
import type { Transaction } from '../../database/Transaction.js';
import { lookForWork } from '../../database/lookForWork.js';
import { signalWork } from '../../database/workSignal.js';
import { EVERY_TYPE } from '../../domain/webhooks/eventCatalogue.js';
import { newDelivery, writeDeliveries } from '../../commands/writeDeliveries.js';
import type { MessageParts, NewDelivery } from '../../commands/writeDeliveries.js';

/** Approximate deliveries of one transaction, and the most messages that they come from. */
const DISPATCH_DELIVERIES = 2000;
const DISPATCH_MESSAGES = 200;

interface OutboxMessage extends MessageParts {
  message_id: string;
  /** Whether the customer of the message has been erased since. */
  erased: boolean;
}

interface Subscriber {
  endpoint_id: string;
  enabled_events: string[];
  status: string;
}

/**
 * Turns the oldest messages of an app into one delivery for each endpoint that subscribes to their type. One
 * dispatcher of an app runs at a time, in the order of `position`, so that deliveries keep the order of the
 * changes. Endpoints are read after the messages: whoever registered before a change is told of it.
 *
 * @returns whether more may wait
 */
export async function dispatchOutbox(database: Database, appId: string, clock: () => Date): Promise<boolean> {
  const dispatch = async (tx: Transaction): Promise<boolean> => {
    // In one round trip.
    const [lock, waiting, subscribers] = await Promise.all([
      tx.one(LOCK_OUTBOX, [appId]),
      tx.query<OutboxMessage>(WAITING_MESSAGES, [appId, DISPATCH_MESSAGES]),
      tx.query<Subscriber>(SUBSCRIBERS, [appId]),
    ]);
    if (lock?.['won'] !== true) return false;
    // Read once it is this dispatcher's turn, so that later ones have later times.
    const now = clock();
    const limit = Math.min(
      DISPATCH_MESSAGES,
      Math.max(1, Math.floor(DISPATCH_DELIVERIES / Math.max(1, subscribers.length))),
    );
    const messages = waiting.slice(0, limit);
    const deliveries = messages.flatMap((message) => deliveriesOf(message, subscribers));
    writeDeliveries(tx, deliveries, now);
    removeDispatched(tx, messages);
    tx.afterCommit(() => signalWork('delivery'));
    return messages.length === limit;
  };
  return database.transaction(appId, dispatch, { byKeys: true });
}

const LOCK_OUTBOX = `
  SELECT pg_try_advisory_xact_lock(hashtextextended('webhook-outbox:' || $1, 0)) AS won`;

/** Deliveries of a disabled endpoint are stored as failed, for `recoverWebhooks` once it is enabled again. */
function deliveriesOf(message: OutboxMessage, subscribers: readonly Subscriber[]): NewDelivery[] {
  if (message.erased) return [];
  const wanting = subscribers.filter(
    ({ enabled_events: types }) => types.includes(message.type) || types.includes(EVERY_TYPE),
  );
  return wanting.map((endpoint) => newDelivery(message, endpoint.endpoint_id, endpoint.status === 'active'));
}

function removeDispatched(tx: Transaction, messages: readonly OutboxMessage[]): void {
  const ids = messages.map((message) => message.message_id);
  tx.send(`DELETE FROM outbox WHERE app_id = $1 AND message_id = ANY ($2)`, [tx.appId, ids]);
  // The queue is a value: by its name, `work_queue_outbox_idx` would find all messages of the app.
  tx.send('DELETE FROM work_queue WHERE app_id = $1 AND queue = $3 AND subject = ANY ($2)', [
    tx.appId,
    ids,
    'outbox',
  ]);
  // A hint without a message (an app's data removed by hand) would be found forever.
  if (ids.length === 0) tx.send(REMOVE_STRAY_HINTS, [tx.appId]);
}

/** The apps with waiting messages. It steps from app to app, however many messages each has. */
export async function appsWithMessages(database: Database): Promise<string[]> {
  const rows = await lookForWork<{ app_id: string }>(database, APPS_WAITING, []);
  return rows.map((row) => row.app_id);
}

const WAITING_MESSAGES = `
  SELECT o.message_id, o.position, o.type, o.data, o.customer_id, o.purpose_mask, o.epochs, o.created_at,
         o.customer_id IS NOT NULL AND c.customer_id IS NULL AS erased
    FROM outbox o LEFT JOIN customers c ON c.app_id = o.app_id AND c.customer_id = o.customer_id
   WHERE o.app_id = $1 ORDER BY o.position LIMIT $2`;

const SUBSCRIBERS = `
  SELECT endpoint_id, enabled_events, status FROM webhook_endpoints WHERE app_id = $1
    ORDER BY endpoint_id FOR KEY SHARE`;

const REMOVE_STRAY_HINTS = `
  DELETE FROM work_queue w WHERE w.app_id = $1 AND w.queue = 'outbox'
     AND NOT EXISTS (SELECT FROM outbox o WHERE o.app_id = $1 AND o.message_id = w.subject)`;

// Citus does not support recursion over the shards of several apps.
const APPS_WAITING = {
  name: 'webhook_apps_waiting',
  text: (ofSome: string) =>
    `SELECT DISTINCT app_id FROM work_queue WHERE queue = 'outbox' ${ofSome} ORDER BY app_id`,
  onePostgres: `
  WITH RECURSIVE step AS (
    (SELECT app_id FROM work_queue WHERE queue = 'outbox' ORDER BY app_id LIMIT 1)
    UNION ALL
    SELECT (SELECT w.app_id FROM work_queue w WHERE w.queue = 'outbox' AND w.app_id > step.app_id
      ORDER BY w.app_id LIMIT 1)
      FROM step WHERE step.app_id IS NOT NULL
  )
  SELECT app_id FROM step WHERE app_id IS NOT NULL`,
};
