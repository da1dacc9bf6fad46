/**
 * The constants of the estimator. Each one's reason is in docs/resolution.md; none was tuned on gold truth.
 */

/** Accuracy of a source of which nothing is known (docs/contract.md#profiles). */
export const INITIAL_ACCURACY = 0.8;

/** The stated confidence at which an unknown source has `INITIAL_ACCURACY`. */
export const REFERENCE_CONFIDENCE = 0.9;

/** Share of a stated log-odds that is believed before there is evidence. */
export const INITIAL_SLOPE = 0.5;

/** Stated confidences outside [this, 1 - this] are read as the bound: nobody is certain. */
export const CONFIDENCE_MARGIN = 0.02;

/** No claim is taken to be more reliable than 1 - this, or less than this. */
export const RELIABILITY_MARGIN = 0.01;

/**
 * Probability that two independent wrong claims agree, before there is evidence: ten plausible wrong values.
 */
export const INITIAL_FALSE_AGREEMENT = 0.1;

/** Plausible numbers of values of an attribute. */
export const DOMAINS: readonly number[] = [2, 3, 4, 5, 7, 10, 15, 25, 50, 100, 300, 1000];

/** An attribute is not taken to have fewer plausible values than this, unless fewer were ever claimed. */
export const MIN_DOMAIN = 5;

/** An attribute with fewer facts shares its number of plausible values with the others like it. */
export const MIN_FACTS_OF_DOMAIN = 100;

/** Facts that the search for the number of plausible values looks at, over all attributes. */
export const MAX_DOMAIN_FACTS = 10_000;

/** By how much log-odds of being right claims on a hard fact fall behind those on an easy one. */
export const HARD_SHIFT = 2;

/** Share of hard facts before there is evidence, and the facts that it counts for. */
export const INITIAL_HARD_SHARE = 0.3;
export const HARD_SHARE_FACTS = 1.1;

/** Half-life of an attribute that names none, in days (docs/contract.md#profiles). */
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

/** Shares of claims that a dependent source may copy; 0: none. */
export const COPY_RATES: readonly number[] = [
  0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99,
];

/** A pair is suspected of copying when its rate exceeds that of the median pair by this much. */
export const MIN_COPY_EXCESS = 0.2;

/** Pairs with fewer facts in common do not count for the median. */
export const MIN_PAIR_FACTS = 20;

/** Probability, at most, that two given sources are dependent, before there is evidence. */
export const MAX_COPY_PRIOR = 0.1;

/** Sources of which one copies the other at least this often are taken for one feed. */
export const FEED_COPYING = 0.5;

/**
 * Probability that two sources of one feed do not speak for themselves, in the model that groups sources into
 * feeds.
 */
export const FEED_RATE = 0.95;

/** Of suspected copying, what counts in the model that tempers it. */
export const TEMPER = 0.5;

/** Copying is looked for among so many sources, those with the most claims. */
export const MAX_COMPARED_SOURCES = 1024;

/** Copying is looked for among so many claims of a fact, its newest. */
export const MAX_COMPARED_CLAIMS = 64;

/** Suspicions below this probability of a copy are not kept. */
export const MIN_COPYING = 0.02;

/** Rounds of learning, at least and at most. */
export const MIN_ROUNDS = 16;
export const MAX_ROUNDS = 24;

/** Models are compared on about so many claims. */
export const MAX_SELECTION_CLAIMS = 50_000;

/** Facts whose claims are held out in turn, and claims of one fact. */
export const MAX_HELD_OUT_FACTS = 4000;
export const MAX_HELD_OUT_CLAIMS = 16;

/** Two sources are not held out together unless one copies the other more often than this. */
export const HELD_OUT_COPYING = 0.1;

/**
 * Held-out claims that "no doubt" counts for, over all attributes, and that all attributes count for in one.
 */
export const NO_DOUBT_CLAIMS = 200;
export const POOLED_DOUBT_CLAIMS = 500;

/** Pairs of claims of one fact that are held out together. */
export const MAX_HELD_OUT_PAIRS = 8;

/** Facts that a posterior counts for where pairs say how far it may be believed, in one bin. */
export const PRIOR_PAIR_FACTS = 20;

/** Facts that all attributes count for in one. */
export const POOLED_PAIR_FACTS = 50;

/** Facts that single held-out claims count for against pairs. */
export const SINGLE_CLAIM_FACTS = 50;

/** If so many wrong claims are of the winner or the runner-up, errors coincide as much as can be. */
export const FULL_RIVAL_ERRORS = 1 / 3;

/** If so much of what pairs of sources say is copied, their errors are taken to coincide by common origin. */
export const FULL_COMMON_ORIGIN = 0.05;

/** Standard deviation of a source's log-odds in one attribute around its own mean. */
export const ATTRIBUTE_SPREAD = 0.5;

/** Learning ends when no source's log-odds moves by more than this in a round. */
export const CONVERGED = 5e-3;

/** Standard deviation of the sources' log-odds of being right around their mean. */
export const INTERCEPT_SPREAD = 1;

/** Standard deviation of the sources' slopes around their mean, and of that mean around `INITIAL_SLOPE`. */
export const SLOPE_SPREAD = 0.5;

/** Sources that the initial accuracy counts for, when the mean over sources is learned. */
export const INITIAL_ACCURACY_WEIGHT = 10;

/** Attributes whose own estimates are kept in a snapshot, those with the most evidence. */
export const MAX_ATTRIBUTES = 1000;

/** Offsets of a source in one attribute that a snapshot keeps: none smaller, and the greatest. */
export const MIN_OFFSET = 0.01;
export const MAX_OFFSETS = 20_000;
