/** Constants of the estimator. docs/resolution.md has the reasons. None was tuned on ground truth. */

/** Prior accuracy of an unknown source. */
export const INITIAL_ACCURACY = 0.8;

/** The stated confidence at which an unknown source has `INITIAL_ACCURACY`. */
export const REFERENCE_CONFIDENCE = 0.9;

/** Prior slope: the weight of a stated log-odds before there is evidence. */
export const INITIAL_SLOPE = 0.5;

/** Stated confidences are clamped to [this, 1 - this], because no source is certain. */
export const CONFIDENCE_MARGIN = 0.02;

/** Reliabilities of claims are clamped to [this, 1 - this]. */
export const RELIABILITY_MARGIN = 0.01;

/** Prior probability that two independent wrong claims agree: ten plausible wrong values. */
export const INITIAL_FALSE_AGREEMENT = 0.1;

/** Candidate numbers of plausible values of an attribute. */
export const DOMAINS: readonly number[] = [2, 3, 4, 5, 7, 10, 15, 25, 50, 100, 300, 1000];

/** Least number of plausible values of an attribute, unless fewer were ever claimed. */
export const MIN_DOMAIN = 5;

/** Attributes with fewer facts share one number of plausible values. */
export const MIN_FACTS_OF_DOMAIN = 100;

/** Facts used to search for the number of plausible values, over all attributes. */
export const MAX_DOMAIN_FACTS = 10_000;

/** How much lower a claim's log-odds of being right are on a hard fact than on an easy one. */
export const HARD_SHIFT = 2;

/** Initial share of hard facts, and the weight of its prior, in facts. */
export const INITIAL_HARD_SHARE = 0.3;
export const HARD_SHARE_FACTS = 1.1;

/** Half-life of attributes without a configured or learned one, in days (docs/contract.md#profiles). */
export const DEFAULT_HALF_LIFE_DAYS = 730;

/** No posterior is reported nearer to 0 or 1 than this. */
export const POSTERIOR_MARGIN = 1e-6;

export const MAX_EVIDENCE = 20;
export const MAX_ALTERNATIVES = 10;

/** Maximum elements of a union, and their length together: four times that of the longest claim. */
export const MAX_ELEMENTS = 10_000;
export const MAX_ELEMENT_CHARACTERS = 262_144;

/** Maximum elements that the claims of a union list together, each counted as often as it is listed. */
export const MAX_LISTED_ELEMENTS = 250_000;

export const MAX_SHARES = 100;

/** Above this number, learning uses a sample of whole facts, chosen by hash. */
export const MAX_LEARNED_CLAIMS = 2_000_000;

/** Most sources per fact in resolution, those with the newest claims. This bounds the cost of one fact. */
export const MAX_RESOLVED_SOURCES = 500;

/** Most sources per fact in learning, those with the newest claims. */
export const MAX_SOURCES_PER_FACT = 200;

/** Candidate shares of its claims that a dependent source copies; 0: none. */
export const COPY_RATES: readonly number[] = [
  0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99,
];

/** A pair is suspected of copying when its rate exceeds that of the median pair by this much. */
export const MIN_COPY_EXCESS = 0.2;

/** Pairs with fewer facts in common do not count for the median. */
export const MIN_PAIR_FACTS = 20;

/** Greatest prior probability that two given sources are dependent. */
export const MAX_COPY_PRIOR = 0.1;

/** Two sources belong to one feed if one copies at least this share of its claims from the other. */
export const FEED_COPYING = 0.5;

/** Copy probability between sources of one feed, in the model that groups sources into feeds. */
export const FEED_RATE = 0.95;

/** Factor of suspected copying in the tempered model. */
export const TEMPER = 0.5;

/** Most sources compared for copying, those with the most claims. */
export const MAX_COMPARED_SOURCES = 1024;

/** Most claims of a fact compared for copying, the newest. */
export const MAX_COMPARED_CLAIMS = 64;

/** Suspicions below this probability of a copy are not kept. */
export const MIN_COPYING = 0.02;

/** Rounds of learning, at least and at most. */
export const MIN_ROUNDS = 16;
export const MAX_ROUNDS = 24;

/** Models are compared on about this many claims. */
export const MAX_SELECTION_CLAIMS = 50_000;

/** Most facts whose claims are held out in turn, and most claims held out per fact. */
export const MAX_HELD_OUT_FACTS = 4000;
export const MAX_HELD_OUT_CLAIMS = 16;

/** Sources are left out together if one copies the other more often than this. */
export const HELD_OUT_COPYING = 0.1;

/** Prior weights, in held-out claims: of "no doubt" over all attributes, and of all attributes in one. */
export const NO_DOUBT_CLAIMS = 200;
export const POOLED_DOUBT_CLAIMS = 500;

/** Most pairs of claims held out per fact. */
export const MAX_HELD_OUT_PAIRS = 8;

/** Prior weight of the uncalibrated posterior in one bin of a calibration curve, in facts. */
export const PRIOR_PAIR_FACTS = 20;

/** Prior weight of all attributes in the calibration curve and the common origin of one, in facts. */
export const POOLED_PAIR_FACTS = 50;

/** Weight of the curve from single held-out claims against the one from pairs, in facts. */
export const SINGLE_CLAIM_FACTS = 50;

/** From this share of wrong claims on the winner or runner-up, errors count as fully coincident. */
export const FULL_RIVAL_ERRORS = 1 / 3;

/** If pairs of sources copy at least this share of their claims, sources are of fully common origin. */
export const FULL_COMMON_ORIGIN = 0.05;

/** Standard deviation of a source's log-odds in one attribute around its own mean. */
export const ATTRIBUTE_SPREAD = 0.5;

/** Learning ends when no source's log-odds moves by more than this in a round. */
export const CONVERGED = 5e-3;

/** Standard deviation of the sources' log-odds of being right around their mean. */
export const INTERCEPT_SPREAD = 1;

/** Standard deviation of the sources' slopes around their mean, and of that mean around `INITIAL_SLOPE`. */
export const SLOPE_SPREAD = 0.5;

/** Prior weight of the initial accuracy in the mean over sources, in sources. */
export const INITIAL_ACCURACY_WEIGHT = 10;

/** Attributes whose own estimates are kept in a snapshot, those with the most evidence. */
export const MAX_ATTRIBUTES = 1000;

/** A snapshot keeps offsets of at least `MIN_OFFSET`, the `MAX_OFFSETS` greatest. */
export const MIN_OFFSET = 0.01;
export const MAX_OFFSETS = 20_000;
