import type { AlternativeReason } from './types.js';

/** Whether a losing value would win if one effect were left out. */
export type WouldWin = (effect: 'copying' | 'ageing' | 'accuracy') => boolean;

/** The effect without which the value would win; `lower_confidence` if no single one decides. */
export function alternativeReason(wouldWin: WouldWin): AlternativeReason {
  if (wouldWin('copying')) return 'copied_source';
  if (wouldWin('ageing')) return 'older_observation';
  if (wouldWin('accuracy')) return 'less_accurate_source';
  return 'lower_confidence';
}
