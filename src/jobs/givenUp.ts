import type { ItemFailure } from './ItemHandler.js';

/** Retries of an item or of a step of a workflow after a first failure (docs/contract.md#events-and-claims). */
export const MAX_RETRIES = 5;

/** The error of what failed at its last retry too. */
export function givenUp(message: string): ItemFailure {
  return { code: 'processing_failed', message };
}
