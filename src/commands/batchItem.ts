import type { RejectedItem } from '../access/inputShape.js';
import { mapInSlices } from '../access/mapInSlices.js';
import type { ItemError } from '../../schema/types/Claim.js';
import type { Transaction } from '../database/Transaction.js';
import { acceptItems } from './acceptItems.js';
import type { Acceptance, InboxItem } from './acceptItems.js';
import type { CommandContext } from './CommandContext.js';

interface RejectedEntry {
  index: number;
  status: 'rejected';
  error: ItemError;
}

const NO_OBJECT = { details: [{ code: 'invalid_type', message: 'must be an object' }], omitted: 0 };

/** Accepts the items of a batch, each on its own. Null stands for one that was refused for its shape. */
export async function acceptBatch<Input, Entry>(
  tx: Transaction,
  context: CommandContext,
  inputs: readonly (Input | null)[],
  toItem: (input: Input) => InboxItem,
  toEntry: (accepted: Acceptance) => Entry,
): Promise<{ accepted: number; rejected: number; data: (RejectedEntry | (Entry & { index: number }))[] }> {
  const items = await mapInSlices(inputs, (input) => (input === null ? undefined : toItem(input)));
  const sent = items.filter((item) => item !== undefined);
  const outcomes = (await acceptItems(tx, context, sent)).values();
  let accepted = 0;
  const data = items.map((item, index) => {
    const outcome = item && outcomes.next().value;
    if (outcome === undefined) return rejectedItem(index, context.rejected.get(index));
    if (!outcome.accepted) {
      const { code, message, details = null } = outcome;
      return { index, status: 'rejected' as const, error: { code, message, details } };
    }
    accepted += 1;
    return { index, ...toEntry(outcome) };
  });
  return { accepted, rejected: data.length - accepted, data };
}

/** The result of a batch item that was refused for its shape, including one that is not an object. */
function rejectedItem(index: number, rejected: RejectedItem | undefined): RejectedEntry {
  const { details, omitted } = rejected ?? NO_OBJECT;
  return {
    index,
    status: 'rejected',
    error: {
      code: 'validation_failed',
      message: 'The item is not valid.',
      details,
      ...(omitted > 0 ? { detailsOmitted: omitted } : {}),
    },
  };
}
