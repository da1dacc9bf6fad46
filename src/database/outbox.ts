import { newId } from '../domain/ids.js';
import { EVERY_TYPE } from '../domain/webhooks/eventCatalogue.js';
import { customerOf, gatingMask } from '../domain/webhooks/messageGate.js';
import type { WebhookMessage } from '../domain/webhooks/WebhookMessage.js';
import type { Transaction } from './Transaction.js';
import { signalWork } from './workSignal.js';

/**
 * Reports a change to the app's webhook endpoints. It is written in the transaction of the change: sent at
 * least once after a commit, never after a rollback. Nothing is written while no endpoint of the app
 * subscribes to the type: an endpoint gets changes that commit after its registration.
 *
 * Call it after locking the rows that order the change (a customer's head): then messages of one customer are
 * numbered in the order of their commits.
 *
 * @throws Error when the transaction has no app
 */
export function announce(tx: Transaction, message: WebhookMessage): void {
  announceAll(tx, [message]);
}

/** Like `announce`, for several changes of one transaction in one statement, in order. */
export function announceAll(tx: Transaction, messages: readonly WebhookMessage[]): void {
  if (tx.appId === null) throw new Error('A webhook message belongs to an app: open the transaction as one.');
  if (messages.length === 0) return;
  tx.send(INSERT_MESSAGES, [tx.appId, JSON.stringify(messages.map(toRow))], (written) => {
    if (written > 0) tx.afterCommit(() => signalWork('outbox'));
  });
}

/** Whether the app has endpoints, so that messages need not be made for nobody. */
export async function hasEndpoints(tx: Transaction): Promise<boolean> {
  const found = await tx.query('SELECT 1 FROM webhook_endpoints WHERE app_id = $1 LIMIT 1', [tx.appId]);
  return found.length > 0;
}

function toRow(message: WebhookMessage, place: number): Record<string, unknown> {
  return {
    place,
    message_id: newId('msg'),
    type: message.type,
    data: message.data,
    customer_id: customerOf(message),
    purpose_mask: gatingMask(message),
    epochs: message.epochs,
    created_at: message.at,
  };
}

// One row of work per message, not per app: a shared row would make the transactions of an app wait for each
// other's commits. No NOTIFY either: PostgreSQL serialises the commits of all transactions that notify.
//
// Each part reads the messages from the parameter in its own SELECT: Citus would send shared rows to every
// node, and no app could write while one node is lost (docs/decisions/0021).
const WANTED = `WITH given AS MATERIALIZED (
    SELECT place, message_id, type, data, customer_id, purpose_mask, epochs,
           coalesce(created_at, now()) AS created_at
      FROM jsonb_to_recordset($2::jsonb) AS message (place integer, message_id text, type text, data jsonb,
        customer_id text, purpose_mask integer, epochs integer[], created_at timestamptz)
     WHERE EXISTS (SELECT FROM webhook_endpoints e
                    WHERE e.app_id = $1 AND (message.type = ANY (e.enabled_events)
                      OR '${EVERY_TYPE}' = ANY (e.enabled_events))))`;

const INSERT_MESSAGES = `
  WITH written AS (
    INSERT INTO outbox (app_id, message_id, type, data, customer_id, purpose_mask, epochs, created_at)
    ${WANTED}
    SELECT $1, message_id, type, data, customer_id, purpose_mask,
           CASE WHEN purpose_mask = 0 THEN NULL ELSE coalesce(epochs,
             (SELECT h.epochs FROM customer_heads h WHERE h.app_id = $1
               AND h.customer_id = given.customer_id)) END,
           created_at
      FROM given ORDER BY place
    RETURNING 1
  )
  INSERT INTO work_queue (app_id, queue, subject, ready_at)
  ${WANTED} SELECT $1, 'outbox', message_id, created_at FROM given RETURNING 1`;
