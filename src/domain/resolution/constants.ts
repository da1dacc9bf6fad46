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

/** Above this, a hashed sample of whole facts is learned from. */
export const MAX_LEARNED_CLAIMS = 2_000_000;

/** Of a fact with more sources, the newest claims count: what one fact costs is bounded. */
export const MAX_RESOLVED_SOURCES = 500;

/** Of a fact with more sources, the newest claims are learned from. */
export const MAX_SOURCES_PER_FACT = 200;

/** Shares of claims that a dependent source may copy; each is as likely as the other beforehand. */
export const COPY_RATES: readonly number[] = [0.2, 0.4, 0.6, 0.8, 0.95];

/** Probability, at most, that two given sources are dependent, before there is evidence. */
export const MAX_COPY_PRIOR = 0.1;

/** Copying is looked for among so many sources, those with the most claims. */
export const MAX_COMPARED_SOURCES = 1024;

/** Copying is looked for among so many claims of a fact, its newest. */
export const MAX_COMPARED_CLAIMS = 64;

/** Suspicions below this probability of a copy are not kept. */
export const LEAST_COPYING = 0.02;

/** Rounds of learning, at most. */
export const MAX_ROUNDS = 40;

/** Learning ends when no source's log-odds moves by more than this in a round. */
export const CONVERGED = 5e-3;

/** Standard deviation of the sources' log-odds of being right around their mean. */
export const INTERCEPT_SPREAD = 1;

/** Standard deviation of the sources' slopes around their mean, and of that mean around `INITIAL_SLOPE`. */
export const SLOPE_SPREAD = 0.5;

/** Sources that the initial accuracy counts for, when the mean over sources is learned. */
export const INITIAL_ACCURACY_WEIGHT = 10;

/** Pairs of wrong claims that the initial false agreement counts for. */
export const FALSE_AGREEMENT_WEIGHT = 20;

/** Attributes whose own false agreement is kept in a snapshot, those with the most evidence. */
export const MAX_ATTRIBUTES = 1000;
