import { lockHeads } from '../../commands/customerHead.js';
import type { WorkflowRow } from '../../../entities/WorkflowEntity.js';
import { announceAll } from '../../database/outbox.js';
import type { Transaction } from '../../database/Transaction.js';
import { isLive } from '../../access/consentGate.js';
import type { Services } from '../../Services.js';
import { messagesOfFacts } from '../messagesOfFacts.js';
import { resolveFacts } from '../resolveFacts.js';

/** Customers of one step, and about how many facts. Ingestion for them waits until it commits. */
const CUSTOMERS = 10;
const FACTS = 500;

/**
 * One step of resolving a purpose's facts after its source accuracies changed. Cursor and facts commit
 * together, so a killed step is repeated and none is skipped.
 *
 * @returns whether customers are left
 */
export async function recomputeFacts(
  tx: Transaction,
  services: Services,
  workflow: WorkflowRow,
): Promise<boolean> {
  const { customer_id: waiting } = workflow.subject;
  // A workflow of waiting claims: draining the inbox completes it.
  if (typeof waiting === 'string') return false;
  const begun = performance.now();
  const purpose = Number(workflow.subject['purpose']);
  const { customers, more } = await nextCustomers(tx, purpose, String(workflow.subject['after']));
  if (customers.length > 0) await recomputeCustomers(tx, services, customers, purpose);
  const last = customers.at(-1);
  if (last === undefined) return false;
  const costBefore = Number(workflow.subject['cost_ms'] ?? 0);
  await tx.execute('UPDATE workflows SET subject = $3 WHERE app_id = $1 AND workflow_id = $2', [
    tx.appId,
    workflow.workflow_id,
    JSON.stringify({ purpose, after: last, cost_ms: costBefore + performance.now() - begun }),
  ]);
  return more;
}

async function nextCustomers(
  tx: Transaction,
  purpose: number,
  after: string,
): Promise<{ customers: string[]; more: boolean }> {
  const rows = await tx.query<{ customer_id: string; facts: number }>(
    `SELECT customer_id, count(*)::integer AS facts FROM facts
      WHERE app_id = $1 AND customer_id > $2 AND purpose = $3
      GROUP BY customer_id ORDER BY customer_id LIMIT ${CUSTOMERS}`,
    [tx.appId, after, purpose],
  );
  let facts = 0;
  const customers: string[] = [];
  for (const row of rows) {
    facts += row.facts;
    if (customers.length > 0 && facts > FACTS) break;
    customers.push(row.customer_id);
  }
  return { customers, more: rows.length === CUSTOMERS || customers.length < rows.length };
}

async function recomputeCustomers(
  tx: Transaction,
  services: Services,
  customers: readonly string[],
  purpose: number,
): Promise<void> {
  const heads = await lockHeads(tx, customers, 'FOR UPDATE');
  const before = await factsOf(tx, customers, purpose);
  const facts = before.flatMap(({ customer_id, attribute, epoch }) => {
    const head = heads.get(customer_id);
    // The cascade erases the facts of a closed epoch.
    return head !== undefined && isLive(head, purpose, epoch) ? [{ head, purpose, attribute }] : [];
  });
  await resolveFacts(tx, services, facts);
  const values = new Set(before.map(valueKey));
  const changed = (await factsOf(tx, customers, purpose)).filter((row) => !values.has(valueKey(row)));
  // Small changes of confidence are not reported.
  const ids = new Set(changed.map((row) => row.customer_id));
  const told = facts.filter(({ head }) => ids.has(head.customer_id));
  announceAll(tx, messagesOfFacts(services, told));
}

interface FactRow {
  customer_id: string;
  attribute: string;
  epoch: number;
  value: string;
}

function factsOf(tx: Transaction, customers: readonly string[], purpose: number): Promise<FactRow[]> {
  return tx.query<FactRow>(
    `SELECT customer_id, attribute, epoch, (document::jsonb -> 'resolvedValue')::text AS value
       FROM facts WHERE app_id = $1 AND customer_id = ANY ($2) AND purpose = $3 ORDER BY customer_id,
         attribute`,
    [tx.appId, customers, purpose],
  );
}

function valueKey({ customer_id, attribute, epoch, value }: FactRow): string {
  return JSON.stringify([customer_id, attribute, epoch, value]);
}
