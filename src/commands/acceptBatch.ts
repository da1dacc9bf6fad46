import { mapInSlices } from '../concurrency/mapInSlices.js';
import type { Transaction } from '../database/Transaction.js';
import type { ItemError } from '../../schema/types/Claim.js';
import { acceptItems, invalid } from './acceptItems.js';
import type { Acceptance, InboxItem, ItemKind } from './acceptItems.js';
import type { CommandContext } from './CommandContext.js';

interface BatchResult<Entry> {
  accepted: number;
  rejected: number;
  data: (({ index: number } & Entry) | { index: number; status: 'rejected'; error: ItemError })[];
}

/** Accepts the items of a batch, each on its own. Null stands for one that was refused for its shape. */
export async function acceptBatch<Input, Entry>(
  tx: Transaction,
  context: CommandContext,
  kind: ItemKind,
  inputs: readonly (Input | null)[],
  toItem: (input: Input) => InboxItem,
  toEntry: (accepted: Acceptance) => Entry,
): Promise<BatchResult<Entry>> {
  const items = await mapInSlices(inputs, (input) => (input === null ? null : toItem(input)));
  const sent = items.filter((item) => item !== null);
  const outcomes = (await acceptItems(tx, context, kind, sent)).values();
  const data = items.map((item, index) => {
    const outcome = item === null ? undefined : outcomes.next().value;
    if (outcome?.accepted) return { index, ...toEntry(outcome) };
    const { details: problems = [], omitted = 0 } = context.rejected.get(index) ?? {};
    const { code, message, details = null } = outcome ?? invalid(problems);
    const error = { code, message, details, ...(omitted > 0 ? { detailsOmitted: omitted } : {}) };
    return { index, status: 'rejected' as const, error };
  });
  const rejected = data.filter((entry) => 'error' in entry).length;
  return { accepted: data.length - rejected, rejected, data };
}
