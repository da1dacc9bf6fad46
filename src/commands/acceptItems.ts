import type { InboxRow } from '../../entities/InboxEntity.js';
import { textArray } from '../database/textArray.js';
import type { Transaction } from '../database/Transaction.js';
import { signalWork } from '../database/workSignal.js';
import { newId } from '../domain/ids.js';
import { epochAt, isConsented, shutBy } from '../access/consentGate.js';
import { PLACE_OF } from '../domain/purposes.js';
import type { Purpose } from '../domain/purposes.js';
import type { ErrorDetail } from '../errors.js';
import type { CommandContext } from './CommandContext.js';
import { lockHeadsOf } from './customerHead.js';
import type { CustomerHead, Heads } from './customerHead.js';
import { findKeys, nameOfKey } from './eventKeys.js';
import type { KeyedItem, KnownEvent } from './eventKeys.js';
import { unknownCustomer } from './inputProblems.js';

export type ItemKind = InboxRow['kind'];

/** A claim or event that wants a place in its customer's series. */
export interface InboxItem extends KeyedItem {
  purpose: Purpose;
  /** Members that are undefined are left out. */
  payload: object;
  /** The entry that an event is about; it must exist. */
  object?: string;
}

export interface Acceptance {
  accepted: true;
  id: string;
  sequence: number;
  /** The current status of the first event, for a repeat. */
  status: string;
  acceptedAt: string;
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
 * Appends items of one kind to their customers' inboxes, in order. Each item is accepted or refused on its
 * own. The customers' heads stay locked until the commit: a revocation runs either before the test of consent
 * or after the items, and sequence numbers have no gaps.
 */
export async function acceptItems(
  tx: Transaction,
  context: CommandContext,
  kind: ItemKind,
  items: readonly InboxItem[],
  locked?: Heads,
): Promise<(Acceptance | Refusal)[]> {
  // The lookups run after the heads are locked, in one round trip, so their results stay true until the
  // commit.
  const [heads, entries, keys] = await Promise.all([
    locked ?? lockHeadsOf(tx, items),
    findEntries(tx, items),
    findKeys(tx, items),
  ]);
  // The locks may have been waited for.
  const now = context.clock();
  const placing = new Placing(kind, now, heads, entries, keys);
  if (kind === 'claim') openWorkflows(items, placing);
  const outcomes = items.map((item) => placing.place(item));
  if (placing.rows.length > 0) insertRows(tx, { ...context, now }, placing);
  return outcomes;
}

interface PlacedRow {
  id: string;
  item: InboxItem;
  sequence: number;
  purpose: number;
  epoch: number;
  workflowId: string | null;
}

/** Assigns sequence numbers to the items, one after the other. */
class Placing {
  readonly workflows = new Map<string, string>();
  /** Customers whose workflow is new with these items. */
  readonly begun = new Map<string, string>();
  readonly rows: PlacedRow[] = [];
  private readonly acceptedAt: string;

  constructor(
    readonly kind: ItemKind,
    now: Date,
    readonly heads: ReadonlyMap<string, CustomerHead>,
    private readonly entries: ReadonlySet<string>,
    private readonly keys: Map<string, KnownEvent>,
  ) {
    this.acceptedAt = now.toISOString();
  }

  place(item: InboxItem): Acceptance | Refusal {
    const head = this.heads.get(item.customerId);
    const refusal = this.refusalOf(item);
    if (refusal !== undefined || head === undefined) return refusal ?? invalid([]);
    return this.repeatOf(item, head) ?? this.append(item, head);
  }

  /** In the order of docs/contract.md#order-of-checks: references, then consent. */
  refusalOf(item: InboxItem): Refusal | undefined {
    const head = this.heads.get(item.customerId);
    const problems = this.unknownReferences(item, head);
    if (problems.length > 0 || head === undefined) return invalid(problems);
    if (shutBy(head, PLACE_OF[item.purpose]) === undefined) return undefined;
    return {
      accepted: false,
      code: 'consent_denied',
      message: `The purpose ${item.purpose} is not granted.`,
    };
  }

  private unknownReferences({ object }: InboxItem, head: CustomerHead | undefined): ErrorDetail[] {
    const customer = head === undefined ? [unknownCustomer()] : [];
    const known = object === undefined || this.entries.has(object);
    return known ? customer : [...customer, UNKNOWN_OBJECT];
  }

  /**
   * The answer to a key that was used before. A key of a closed epoch counts as unused: a new grant starts
   * empty. That the app may not use a purpose now does not close its epoch.
   */
  private repeatOf({ customerId, dedupe }: InboxItem, head: CustomerHead): Acceptance | Refusal | undefined {
    const first = dedupe && this.keys.get(nameOfKey(customerId, dedupe.key));
    if (first === undefined || !isConsented(head, first.purpose, first.epoch)) return undefined;
    if (first.payload_hash !== dedupe?.hash)
      return { accepted: false, code: 'conflict', message: KEY_USED, details: [USED_KEY] };
    const { event_id: id, sequence, status, accepted_at: acceptedAt } = first;
    return { accepted: true, id, sequence, status, acceptedAt, workflowId: null };
  }

  private append(item: InboxItem, head: CustomerHead): Acceptance {
    head.sequence += 1;
    const purpose = PLACE_OF[item.purpose];
    const epoch = epochAt(head, purpose);
    const workflowId = this.workflows.get(item.customerId) ?? null;
    const { sequence } = head;
    // In the order of acceptance: lists are sorted by it, so that it cannot be made before the lock.
    const id = newId(this.kind === 'claim' ? 'clm' : 'evt');
    this.rows.push({ id, item, sequence, purpose, epoch, workflowId });
    const { acceptedAt } = this;
    if (item.dedupe !== undefined)
      this.keys.set(nameOfKey(item.customerId, item.dedupe.key), {
        event_id: id,
        sequence,
        purpose,
        epoch,
        payload_hash: item.dedupe.hash,
        status: 'accepted',
        accepted_at: acceptedAt,
      });
    return { accepted: true, id, sequence, status: 'accepted', acceptedAt, workflowId };
  }
}

const KEY_USED = 'This event_key was used with another payload.';

const USED_KEY: ErrorDetail = {
  code: 'event_key_used',
  message: 'was used with another payload',
  field: 'event_key',
};

const UNKNOWN_OBJECT: ErrorDetail = {
  code: 'unknown_reference',
  message: 'is not an entry of this app',
  field: 'object',
};

export function invalid(details: ErrorDetail[]): Refusal {
  return { accepted: false, code: 'validation_failed', message: 'The item is not valid.', details };
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}

/** The named entries that exist. Entries are never removed, so no lock is needed. */
async function findEntries(tx: Transaction, items: readonly InboxItem[]): Promise<Set<string>> {
  const named = unique(items.flatMap(({ object }) => (object === undefined ? [] : [object])));
  if (named.length === 0) return new Set();
  const rows = await tx.query<{ entry_id: string }>(
    'SELECT entry_id FROM entries WHERE app_id = $1 AND entry_id = ANY ($2)',
    [tx.appId, named],
  );
  return new Set(rows.map(({ entry_id }) => entry_id));
}

/** Makes one `profile_recompute` workflow for the waiting claims of a customer. */
function openWorkflows(items: readonly InboxItem[], placing: Placing): void {
  for (const item of items) {
    const { customerId } = item;
    if (placing.workflows.has(customerId) || placing.refusalOf(item) !== undefined) continue;
    const open = placing.heads.get(customerId)?.open_workflow_id;
    const workflowId = open ?? newId('wf');
    placing.workflows.set(customerId, workflowId);
    if (workflowId !== open) placing.begun.set(customerId, workflowId);
  }
}

function insertRows(tx: Transaction, { appId, now }: CommandContext, { kind, rows, begun }: Placing): void {
  const keyed = rows.some(({ item }) => item.dedupe !== undefined);
  const keys = keyed
    ? [rows.map(({ item }) => item.dedupe?.key), rows.map(({ item }) => item.dedupe?.hash)]
    : [];
  tx.send(keyed ? INSERT_KEYED : INSERT_ROWS, [
    appId,
    now,
    rows.map(({ item }) => item.customerId),
    rows.map(({ sequence }) => sequence),
    kind,
    rows.map(({ id }) => id),
    rows.map(({ purpose }) => purpose),
    rows.map(({ epoch }) => epoch),
    textArray(rows.map(({ item }) => JSON.stringify(item.payload))),
    rows.map(({ workflowId }) => workflowId),
    [...begun.keys()],
    [...begun.values()],
    ...keys,
  ]);
  tx.afterCommit(() => signalWork('customer'));
}

// Arrays, not a JSON document: PostgreSQL reads them several times faster; long texts are in binary
// (`textArray`). Each part reads its arrays by itself: Citus would send rows that the parts share to every
// node, and no app could write while one of them is lost. The heads are locked, so neither the work queue's
// row of a customer nor its keys can appear or vanish meanwhile.
const PLACES = `
  WITH heads AS (
    UPDATE customer_heads h SET sequence = g.last,
      open_workflow_id = coalesce(g.workflow_id, h.open_workflow_id)
      FROM (SELECT customer_id, max(sequence) AS last, max(workflow_id) AS workflow_id
        FROM unnest($3::text[], $4::bigint[], $10::text[]) AS item (customer_id, sequence, workflow_id)
        GROUP BY customer_id) g
     WHERE h.app_id = $1 AND h.customer_id = g.customer_id
  ), found AS (
    INSERT INTO work_queue (app_id, queue, subject, ready_at)
    SELECT DISTINCT $1, 'customer', customer_id, least($2::timestamptz, now())
      FROM unnest($3::text[]) AS customer_id ORDER BY customer_id ON CONFLICT DO NOTHING
  ), counted AS (
    INSERT INTO tally_changes (app_id, measure, key, amount)
    VALUES ($1, $5::text || '_accepted', -1, cardinality($4::bigint[])) RETURNING 1
  ), begun AS (
    INSERT INTO workflows (app_id, workflow_id, type, status, subject, created_at, updated_at)
    SELECT $1, workflow_id, 'profile_recompute', 'accepted', jsonb_build_object('customer_id', customer_id),
           $2::timestamptz, $2::timestamptz
      FROM unnest($11::text[], $12::text[]) AS workflow (customer_id, workflow_id) RETURNING 1
  )`;

const INSERT = `
  INSERT INTO inbox (app_id, customer_id, sequence, kind, item_id, purpose, epoch, payload, workflow_id,
    accepted_at)
  SELECT $1, customer_id, sequence, $5, item_id, purpose, epoch, payload::jsonb, workflow_id, $2
    FROM unnest($3::text[], $4::bigint[], $6::text[], $7::smallint[], $8::integer[], $9::text[], $10::text[])
      AS item (customer_id, sequence, item_id, purpose, epoch, payload, workflow_id)
    RETURNING 1`;

const INSERT_ROWS = PLACES + INSERT;

const INSERT_KEYED = `${PLACES}, keys AS (
    INSERT INTO event_keys (app_id, customer_id, event_key, event_id, sequence, purpose, epoch, payload_hash)
    SELECT $1, customer_id, event_key, item_id, sequence, purpose, epoch, payload_hash
      FROM unnest($3::text[], $4::bigint[], $6::text[], $7::smallint[], $8::integer[], $13::text[],
        $14::text[]) AS item (customer_id, sequence, item_id, purpose, epoch, event_key, payload_hash)
     WHERE event_key IS NOT NULL
    ON CONFLICT (app_id, customer_id, event_key) DO UPDATE SET event_id = excluded.event_id, sequence = excluded.sequence,
      purpose = excluded.purpose, epoch = excluded.epoch, payload_hash = excluded.payload_hash
  )${INSERT}`;
