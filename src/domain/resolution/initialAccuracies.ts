import { INITIAL_ACCURACY, INITIAL_FALSE_AGREEMENT, INITIAL_SLOPE } from './constants.js';
import { logit } from './logOdds.js';
import type { AccuracySnapshot } from './types.js';

/** The snapshot of an app and purpose before anything is learned. */
export function initialAccuracies(): AccuracySnapshot {
  return {
    format: 2,
    version: 0,
    facts: 0,
    claims: 0,
    model: { dependence: 'independent', byAttribute: false, gain: 0 },
    evidence: [],
    heldOut: 0,
    unknownSource: { intercept: logit(INITIAL_ACCURACY), slope: INITIAL_SLOPE, accuracy: INITIAL_ACCURACY },
    hardShare: 0,
    falseAgreement: INITIAL_FALSE_AGREEMENT,
    calibration: [],
    attributes: [],
    sources: [],
    offsets: [],
    copies: [],
    feeds: [],
  };
}
