import { PURPOSES, PLACE_OF } from './purposes.js';
import type { Purpose } from './purposes.js';

/** Which purposes a customer has granted, and the consent epoch of each (docs/contract.md#consent). */
export interface ConsentState {
  grantedMask: number;
  epochs: readonly number[];
}

/** Grants purposes. A closed purpose begins a new epoch, an open one continues its epoch. */
export function grantPurposes(state: ConsentState, purposes: readonly Purpose[]): ConsentState {
  // A row that is older than a purpose has no epoch for it.
  const epochs = PURPOSES.map((_, place) => state.epochs[place] ?? 0);
  let grantedMask = state.grantedMask;
  for (const purpose of purposes) {
    const index = PLACE_OF[purpose];
    if ((grantedMask & (1 << index)) === 0) epochs[index] = (epochs[index] ?? 0) + 1;
    grantedMask |= 1 << index;
  }
  return { grantedMask, epochs };
}

/** Closes purposes. `closed` names those that were open, with the epoch that ended. */
export function closePurposes(
  state: ConsentState,
  purposes: readonly Purpose[],
): { state: ConsentState; closed: { purpose: Purpose; epoch: number }[] } {
  const closed = purposes
    .filter((purpose) => isGranted(state, purpose))
    .map((purpose) => ({ purpose, epoch: epochOf(state, purpose) }));
  const grantedMask = purposes.reduce((mask, purpose) => mask & ~(1 << PLACE_OF[purpose]), state.grantedMask);
  return { state: { grantedMask, epochs: state.epochs }, closed };
}

export function isGranted(state: ConsentState, purpose: Purpose): boolean {
  return (state.grantedMask & (1 << PLACE_OF[purpose])) !== 0;
}

export function epochOf(state: ConsentState, purpose: Purpose): number {
  return state.epochs[PLACE_OF[purpose]] ?? 0;
}
