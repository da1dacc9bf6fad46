import type { RejectedItem } from '../access/inputShape.js';
import type { ItemError } from '../../schema/types/Claim.js';

export interface RejectedEntry {
  index: number;
  status: 'rejected';
  error: ItemError;
}

const NO_OBJECT = { details: [{ code: 'invalid_type', message: 'must be an object' }], omitted: 0 };

/** The result of a batch item that was refused for its shape, including one that is not an object. */
export function rejectedItem(index: number, rejected: RejectedItem | undefined): RejectedEntry {
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
