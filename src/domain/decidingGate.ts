/** What decides whether a purpose's facts can be read. */
export interface GateState {
  isAllowed: boolean;
  isGranted: boolean;
  /** The purpose's consent epoch; above 1 when an earlier one was closed. */
  epoch: number;
  hasFacts: boolean;
}

/**
 * What keeps a purpose's facts back, or empty though it is open: the purposes allowed to the app, the customer's receipts, or the
 * consent epoch, which a new grant begins empty (decisions 11). Null when nothing does. (Scopes decide before any purpose is looked at.)
 */
export function decidingGate(state: GateState): 'purpose' | 'receipt' | 'epoch' | null {
  if (!state.isAllowed) return 'purpose';
  if (!state.isGranted) return 'receipt';
  return !state.hasFacts && state.epoch > 1 ? 'epoch' : null;
}
