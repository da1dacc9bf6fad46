import type { RejectedItem } from '../access/inputShape.js';
import { boundedDetails } from '../errors.js';
import type { ErrorDetail } from '../errors.js';
import type { ItemError } from '../../schema/types/Claim.js';

export interface RejectedEntry {
  index: number;
  status: 'rejected';
  error: ItemError;
}

/** The entry of a batch item that was refused for its shape; one that is no object at all included. */
export function rejectedItem(index: number, rejected: RejectedItem | undefined): RejectedEntry {
  const details: readonly ErrorDetail[] = rejected?.details ?? [{ code: 'invalid_type', message: 'must be an object' }];
  return {
    index,
    status: 'rejected',
    error: { code: 'validation_failed', message: 'The item is not valid.', ...boundedDetails(details) },
  };
}
