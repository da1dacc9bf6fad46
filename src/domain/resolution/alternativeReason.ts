import type { AlternativeReason } from './types.js';

/** The posteriors of a losing and the winning value when one effect is left out. */
export type WouldWin = (effect: 'copying' | 'ageing' | 'accuracy') => boolean;

/** The effect without which the value would not have lost; `lower_confidence` where no single one decided. */
export function alternativeReason(wouldWin: WouldWin): AlternativeReason {
  if (wouldWin('copying')) return 'copied_source';
  if (wouldWin('ageing')) return 'older_observation';
  if (wouldWin('accuracy')) return 'less_accurate_source';
  return 'lower_confidence';
}
