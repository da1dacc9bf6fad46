import { lockHead } from '../../commands/customerHead.js';
import type { WorkflowRow } from '../../commands/workflowRow.js';
import type { Transaction } from '../../database/Transaction.js';
import { isLive } from '../../domain/consent.js';
import type { Services } from '../../Services.js';
import { resolveFacts } from '../resolveFacts.js';

/** Customers of one step. Their heads are held until it commits, so ingestion for them waits that long and no longer. */
const CUSTOMERS = 10;

/**
 * One step of making a purpose's facts anew after its source accuracies changed. Its cursor commits with its facts, so a killed
 * step is done again and none is left out.
 *
 * @returns whether customers are left
 */
export async function recomputeFacts(tx: Transaction, services: Services, workflow: WorkflowRow): Promise<boolean> {
  const { customer_id: waiting } = workflow.subject;
  // The workflow of claims that wait; their inbox carries it out.
  if (typeof waiting === 'string') return false;
  const purpose = Number(workflow.subject['purpose']);
  const customers = await nextCustomers(tx, purpose, String(workflow.subject['after']));
  for (const customerId of customers) await recomputeCustomer(tx, services, customerId, purpose);
  const last = customers.at(-1);
  if (last === undefined) return false;
  await tx.execute('UPDATE workflows SET subject = $3 WHERE app_id = $1 AND workflow_id = $2', [
    tx.appId,
    workflow.workflow_id,
    JSON.stringify({ purpose, after: last }),
  ]);
  return customers.length === CUSTOMERS;
}

async function nextCustomers(tx: Transaction, purpose: number, after: string): Promise<string[]> {
  const rows = await tx.query<{ customer_id: string }>(
    `SELECT DISTINCT customer_id FROM facts WHERE app_id = $1 AND customer_id > $2 AND purpose = $3 ORDER BY customer_id LIMIT ${CUSTOMERS}`,
    [tx.appId, after, purpose],
  );
  return rows.map((row) => row.customer_id);
}

async function recomputeCustomer(
  tx: Transaction,
  services: Services,
  customerId: string,
  purpose: number,
): Promise<void> {
  const head = await lockHead(tx, customerId);
  if (head === undefined) return;
  const state = { grantedMask: head.granted_mask & head.allowed_mask, epochs: head.epochs };
  const rows = await tx.query<{ attribute: string; epoch: number }>(
    'SELECT attribute, epoch FROM facts WHERE app_id = $1 AND customer_id = $2 AND purpose = $3 ORDER BY attribute',
    [tx.appId, customerId, purpose],
  );
  // Facts of a closed epoch are the cascade's to erase.
  const live = rows.filter((row) => isLive(state, purpose, row.epoch));
  await resolveFacts(
    tx,
    services,
    head,
    live.map(({ attribute }) => ({ purpose, attribute })),
  );
}
