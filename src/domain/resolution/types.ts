/** A JSON value, as claims carry it. */
export type JsonValue = string | number | boolean | null | JsonValue[] | { [member: string]: JsonValue };

/** What a value of an attribute means, which decides when two spellings of it agree. */
export type AttributeType =
  'text' | 'number' | 'date' | 'address' | 'person_name' | 'person_names' | 'set' | 'json';

/** How a fact is made of its claims; `vote` unless configured otherwise. */
export const ATTRIBUTE_METHODS = ['vote', 'most_recent', 'union'] as const;
export type AttributeMethod = (typeof ATTRIBUTE_METHODS)[number];

/** One row of the attribute registry. */
export interface AttributeRule {
  /** Absent: by the value's own JSON type (strings as text, arrays of strings as sets, the rest as JSON). */
  type?: AttributeType;
  /** Numbers, and days between dates, that differ by no more than this agree. Default 0. */
  tolerance?: number;
  /** Like `tolerance`, as a share of the greater magnitude: 0.01 is one per cent. Default 0. */
  relativeTolerance?: number;
  /**
   * Days after which the true value has changed with probability one half; `Infinity`: it never changes.
   * Default 730.
   */
  halfLifeDays?: number;
  /** Default `vote`; arrays of strings are united when the attribute has no method of its own. */
  method?: AttributeMethod;
}

/** A claim as resolution sees it: one app, one customer, one purpose and one attribute at a time. */
export interface ResolutionClaim {
  id: string;
  attribute: string;
  value: JsonValue;
  /** `canonicalValue(value, rule)`, where the caller has stored it. */
  canonical?: string;
  source: string;
  /** ISO 8601. */
  observedAt: string;
  /** Order of acceptance; breaks ties between repeats of one source. */
  sequence: number;
  /** The probability the source states, 0 to 1. */
  confidence: number;
}

/** Which rule decided a fact. */
export type ResolutionMethod = 'single_source' | 'consensus' | 'accuracy_vote' | 'most_recent' | 'union';

export type AlternativeReason =
  'lower_confidence' | 'older_observation' | 'less_accurate_source' | 'copied_source';

export interface Alternative {
  value: JsonValue;
  /** Posterior probability of this value. */
  confidence: number;
  reason: AlternativeReason;
}

/** Why one claim counted as it did. */
export interface ClaimShare {
  claimId: string;
  source: string;
  supports: boolean;
  /**
   * What the claim added to the fact's log-odds (natural logarithm); negative when it speaks against the
   * value.
   */
  logOdds: number;
  /** Estimated probability that a claim of this source is right. */
  sourceAccuracy: number;
  /**
   * Estimated probability that this claim was right when it was observed, its stated confidence considered.
   */
  reliability: number;
  /** Probability that the value has not changed since it was observed: 2^(-age / half-life). */
  decay: number;
  /** The claims on this value of which this one is suspected to be a copy, if any: the likeliest one. */
  copying: { of: string; probability: number } | null;
}

/**
 * How dependence between sources is modelled: not at all, by pairs of which half of what is suspected counts
 * or all, or by feeds that several republish.
 */
export type DependenceModel = 'independent' | 'tempered_pairs' | 'pairs' | 'feeds';

/** Where a half-life comes from. */
export type HalfLifeOrigin = 'configured' | 'learned' | 'default';

/**
 * The model that learning chose, and by how much it predicts held-out claims better than independent sources
 * do.
 */
export interface ChosenModel {
  dependence: DependenceModel;
  /** Whether sources have an accuracy for each attribute. */
  byAttribute: boolean;
  /**
   * Log-probability per held-out claim (natural logarithm) above that of independent sources with one
   * accuracy each.
   */
  gain: number;
}

/**
 * `prior + change + calibration + normalisation + Σ shares + omitted = logOdds`, the log-odds of the fact's
 * confidence.
 */
export interface FactExplanation {
  logOdds: number;
  /** Log-odds of the value before any claim. */
  prior: number;
  /** Log-odds lost because the truth may have changed between and since the observations. */
  change: number;
  /**
   * Log-odds lost or gained because held-out claims bear such winners out less, or more, than their
   * posterior.
   */
  calibration: number;
  /** Rounding and bounds of the reported confidence; for a union, what the mean over its elements adds. */
  normalisation: number;
  /** In order of observation; the strongest when there are more than `MAX_SHARES`. */
  shares: ClaimShare[];
  /** Sum of the shares left out. */
  omitted: number;
  /**
   * The age of the claims: half-life, where it is from, and the confidence there would be if the value never
   * changed.
   */
  age: { halfLifeDays: number | null; origin: HalfLifeOrigin; confidenceWithout: number };
  model: ChosenModel;
  /** Snapshot of source accuracies that was used. */
  accuracyVersion: number;
}

export interface ResolvedFact {
  resolvedValue: JsonValue;
  /** Posterior probability that the value is true now. */
  confidence: number;
  resolutionMethod: ResolutionMethod;
  /** Ids of the claims that support the value, strongest first, at most `MAX_EVIDENCE`. */
  evidence: string[];
  /** Losing values, most probable first, at most `MAX_ALTERNATIVES`. */
  alternatives: Alternative[];
  explanation: FactExplanation;
}

/**
 * How reliable a source is: a claim with stated confidence c is right with log-odds `intercept + slope ·
 * (logit c - logit 0.9)`.
 */
export interface SourceAccuracy {
  source: string;
  intercept: number;
  slope: number;
  /** Mean probability that its claims were right. */
  accuracy: number;
  /** Comparable claims it was learned from. */
  claims: number;
  /** What these claims determined of the intercept: the inverse of its variance. */
  curvature: number;
}

/** Two sources suspected to depend on each other (either direction, or both on a third). */
export interface SuspectedCopy {
  /** The one that comes first in code unit order. */
  first: string;
  second: string;
  /** Probability that the two are dependent. */
  probability: number;
  /** Share of the claims that the dependent one copies, as far as the model counts it. */
  rate: number;
}

/** A posterior, and how far one like it may be believed. */
export interface CalibrationPoint {
  posterior: number;
  confidence: number;
}

/** When numbers of an attribute agree for which no tolerance is stated. */
export interface LearnedNumbers {
  /** What measurements of the same differ by; 0 where sources give the very same number. */
  tolerance: number;
  /** Sources that round, and to what; in code unit order. */
  units: { source: string; unit: number }[];
}

/** What was learned of one attribute. */
export interface LearnedAttribute {
  attribute: string;
  /** Probability that two independent wrong claims agree. */
  falseAgreement: number;
  /**
   * Learned from sources that repeat themselves; null: the value never changes. Absent where nothing was
   * learned of it.
   */
  halfLifeDays?: number | null;
  /** Absent where numbers are compared by their digits, or by the stated tolerance. */
  numbers?: LearnedNumbers;
  /** By rising posterior; absent where no claim was held out. */
  calibration?: CalibrationPoint[];
}

/** A model that was compared with the others. */
export interface ModelScore {
  dependence: DependenceModel;
  byAttribute: boolean;
  /** Mean log-probability of held-out claims. */
  score: number;
}

/**
 * What has been learned of the sources of one app and purpose. Plain JSON; a function of the live claims
 * only.
 */
export interface AccuracySnapshot {
  format: 2;
  /** Grows by one with each snapshot of an app and purpose; 0 where nothing was learned yet. */
  version: number;
  /** Facts with two or more sources that were learned from. */
  facts: number;
  claims: number;
  model: ChosenModel;
  /** The models that were compared, simplest first; empty where there was nothing to choose. */
  evidence: ModelScore[];
  /** Claims that were held out in turn to compare them. */
  heldOut: number;
  /** What holds of a source not listed. */
  unknownSource: { intercept: number; slope: number; accuracy: number };
  /** Share of facts on which all sources err oftener. */
  hardShare: number;
  /** Probability that two independent wrong claims agree, where the attribute is not listed. */
  falseAgreement: number;
  /** How far posteriors may be believed, where the attribute has no curve of its own. */
  calibration: CalibrationPoint[];
  /** In code unit order. */
  attributes: LearnedAttribute[];
  /** In code unit order. */
  sources: SourceAccuracy[];
  /** What a source's log-odds of being right are in one attribute above its own mean; in code unit order. */
  offsets: { source: string; attribute: string; offset: number }[];
  /** In code unit order. */
  copies: SuspectedCopy[];
  /** Sources that republish one feed, in code unit order. */
  feeds: string[][];
}
