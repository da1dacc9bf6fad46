/** The constants of the estimator. Each one's reason is in docs/resolution.md; none was tuned on gold truth. */

/** Accuracy of a source of which nothing is known (decisions 12). */
export const INITIAL_ACCURACY = 0.8;

/** The stated confidence at which an unknown source has `INITIAL_ACCURACY`. */
export const REFERENCE_CONFIDENCE = 0.9;

/** Share of a stated log-odds that is believed before there is evidence. */
export const INITIAL_SLOPE = 0.5;

/** Stated confidences outside [this, 1 - this] are read as the bound: nobody is certain. */
export const CONFIDENCE_MARGIN = 0.02;

/** No claim is taken to be more reliable than 1 - this, or less than this. */
export const RELIABILITY_MARGIN = 0.01;

/** Probability that two independent wrong claims agree, before there is evidence: ten plausible wrong values. */
export const INITIAL_FALSE_AGREEMENT = 0.1;

/** Half-life of an attribute that names none, in days (decisions 12). */
export const DEFAULT_HALF_LIFE_DAYS = 730;

/** No posterior is reported nearer to 0 or 1 than this. */
export const POSTERIOR_MARGIN = 1e-6;

export const MAX_EVIDENCE = 20;
export const MAX_ALTERNATIVES = 10;
export const MAX_SHARES = 100;
