import type { ErrorDetail } from '../errors.js';
import type { Transaction } from '../database/Transaction.js';
import { enqueue } from '../database/workQueue.js';
import { isGranted } from '../domain/consent.js';
import type { JsonObject } from '../domain/jsonValue.js';
import { purposeIndex } from '../domain/purposes.js';
import type { Purpose } from '../domain/purposes.js';
import type { CommandContext } from './CommandContext.js';
import { lockHeads } from './customerHead.js';
import type { CustomerHead } from './customerHead.js';
import { insertWorkflow } from './workflowRow.js';

/** A claim or event that wants a place in its customer's series. */
export interface InboxItem {
  kind: 'claim' | 'event';
  id: string;
  customerId: string;
  purpose: Purpose;
  payload: JsonObject;
}

export interface Acceptance {
  accepted: true;
  sequence: number;
  /** The shared `profile_recompute` workflow; claims only. */
  workflowId: string | null;
}

export interface Refusal {
  accepted: false;
  code: 'validation_failed' | 'consent_denied' | 'conflict';
  message: string;
  details?: ErrorDetail[];
}

/**
 * Puts items into their customers' inboxes, in order, each accepted or refused on its own. The customers' heads stay locked
 * until the commit: a revoke comes wholly before the test of consent or wholly after the items, and sequence numbers have
 * no gaps.
 */
export async function acceptItems(
  tx: Transaction,
  context: CommandContext,
  items: readonly InboxItem[],
): Promise<(Acceptance | Refusal)[]> {
  const heads = await lockHeads(tx, [...new Set(items.map(({ customerId }) => customerId))]);
  const workflows = await openWorkflows(tx, context, items, heads);
  const outcomes = items.map((item) => place(item, heads.get(item.customerId), workflows));
  const rows = items.flatMap((item, index) => toRow(item, outcomes[index], heads.get(item.customerId)));
  if (rows.length === 0) return outcomes;
  await insertRows(tx, context, rows);
  await enqueue(tx, 'customer', [...new Set(rows.map(({ customer_id }) => customer_id))], context.now);
  return outcomes;
}

/** The next place of the customer's series, or why there is none for the item. Advances the head it is given. */
function place(
  item: InboxItem,
  head: CustomerHead | undefined,
  workflows: ReadonlyMap<string, string>,
): Acceptance | Refusal {
  const refusal = refusalOf(item, head);
  if (refusal !== undefined || head === undefined) return refusal ?? unknownCustomer();
  head.sequence += 1;
  return {
    accepted: true,
    sequence: head.sequence,
    workflowId: item.kind === 'claim' ? (workflows.get(item.customerId) ?? null) : null,
  };
}

function refusalOf(item: InboxItem, head: CustomerHead | undefined): Refusal | undefined {
  if (head === undefined) return unknownCustomer();
  const state = { grantedMask: head.granted_mask & head.allowed_mask, epochs: head.epochs };
  if (isGranted(state, item.purpose)) return undefined;
  return { accepted: false, code: 'consent_denied', message: `The purpose ${item.purpose} is not granted.` };
}

function unknownCustomer(): Refusal {
  return {
    accepted: false,
    code: 'validation_failed',
    message: 'The item is not valid.',
    details: [{ code: 'unknown_reference', message: 'is not a customer of this app', field: 'customer_id' }],
  };
}

/** One `profile_recompute` workflow for the claims of a customer that wait together. */
async function openWorkflows(
  tx: Transaction,
  { now }: CommandContext,
  items: readonly InboxItem[],
  heads: ReadonlyMap<string, CustomerHead>,
): Promise<Map<string, string>> {
  const workflows = new Map<string, string>();
  for (const item of items) {
    const head = heads.get(item.customerId);
    if (item.kind !== 'claim' || workflows.has(item.customerId) || refusalOf(item, head) !== undefined) continue;
    const workflowId =
      head?.open_workflow_id ?? (await insertWorkflow(tx, 'profile_recompute', { customer_id: item.customerId }, now));
    workflows.set(item.customerId, workflowId);
  }
  return workflows;
}

interface InboxRow {
  customer_id: string;
  sequence: number;
  kind: string;
  item_id: string;
  purpose: number;
  epoch: number;
  payload: JsonObject;
  workflow_id: string | null;
}

function toRow(item: InboxItem, outcome: Acceptance | Refusal | undefined, head: CustomerHead | undefined): InboxRow[] {
  if (outcome?.accepted !== true || head === undefined) return [];
  const purpose = purposeIndex(item.purpose);
  return [
    {
      customer_id: item.customerId,
      sequence: outcome.sequence,
      kind: item.kind,
      item_id: item.id,
      purpose,
      epoch: head.epochs[purpose] ?? 0,
      payload: item.payload,
      workflow_id: outcome.workflowId,
    },
  ];
}

async function insertRows(tx: Transaction, { appId, now }: CommandContext, rows: readonly InboxRow[]): Promise<void> {
  await tx.execute(
    `WITH given AS MATERIALIZED (
       SELECT * FROM jsonb_to_recordset($2::jsonb) AS item (customer_id text, sequence bigint, kind text, item_id text, purpose smallint,
         epoch integer, payload jsonb, workflow_id text)
     ), heads AS (
       UPDATE customer_heads h SET sequence = g.last, open_workflow_id = coalesce(g.workflow_id, h.open_workflow_id)
         FROM (SELECT customer_id, max(sequence) AS last, max(workflow_id) AS workflow_id FROM given GROUP BY customer_id) g
        WHERE h.app_id = $1 AND h.customer_id = g.customer_id
     )
     INSERT INTO inbox (app_id, customer_id, sequence, kind, item_id, purpose, epoch, payload, workflow_id, accepted_at)
     SELECT $1, customer_id, sequence, kind, item_id, purpose, epoch, payload, workflow_id, $3 FROM given`,
    [appId, JSON.stringify(rows), now],
  );
}
