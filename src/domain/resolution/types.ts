import type { JsonValue } from '../jsonValue.js';

/** Type of an attribute's values. It decides when two spellings agree. */
export const ATTRIBUTE_TYPES = [
  'text',
  'number',
  'date',
  'address',
  'person_name',
  'person_names',
  'set',
  'json',
] as const;

export type AttributeType = (typeof ATTRIBUTE_TYPES)[number];

/** How a fact is resolved from its claims; `vote` unless configured otherwise. */
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
  /** Days after which the value has changed with probability 1/2; `Infinity`: never. Default 730. */
  halfLifeDays?: number;
  /** Default `vote`, or `union` if all values are arrays of strings and the type is not `person_names`. */
  method?: AttributeMethod;
}

/** A claim as resolution reads it, for one app, customer, purpose and attribute at a time. */
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
  /** Contribution to the fact's log-odds (natural logarithm); negative if it opposes the value. */
  logOdds: number;
  /** Estimated probability that a claim of this source is right. */
  sourceAccuracy: number;
  /** Estimated probability that this claim was right when observed, given its stated confidence too. */
  reliability: number;
  /** Probability that the value has not changed since it was observed: 2^(-age / half-life). */
  decay: number;
  /** Probability that the claim is a copy; `of`: source of the likeliest original. Null if not suspected. */
  copying: { of: string; probability: number } | null;
}

/** Dependence between sources: none; by pairs, counted by half or in full; or by republished feeds. */
export type DependenceModel = 'independent' | 'tempered_pairs' | 'pairs' | 'feeds';

/** Where a half-life comes from. */
export type HalfLifeOrigin = 'configured' | 'learned' | 'default';

/** The model that learning chose. */
export interface ChosenModel {
  dependence: DependenceModel;
  /** Whether sources have an accuracy for each attribute. */
  byAttribute: boolean;
  /** Gain in natural log-probability per held-out claim over independent sources with one accuracy each. */
  gain: number;
}

/** `logOdds` of the confidence = prior + change + calibration + normalisation + Σ shares + omitted. */
export interface FactExplanation {
  logOdds: number;
  /** Log-odds of the value before any claim. */
  prior: number;
  /** Log-odds lost because the value may have changed between or since the observations. */
  change: number;
  /** Log-odds lost or gained by calibration: how often held-out claims confirm winners of this posterior. */
  calibration: number;
  /** Rounding and bounds of the confidence; for a union also the effect of averaging over its elements. */
  normalisation: number;
  /** In order of observation; the strongest when there are more than `MAX_SHARES`. */
  shares: ClaimShare[];
  /** Sum of the shares left out. */
  omitted: number;
  /** Ageing: half-life (null: never changes), its origin, and the confidence if the value never changed. */
  age: { halfLifeDays: number | null; origin: HalfLifeOrigin; confidenceWithout: number };
  model: ChosenModel;
  /** Version of the accuracy snapshot used. */
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

/** A claim of stated confidence c is right with log-odds `intercept + slope · (logit c - logit 0.9)`. */
export interface SourceAccuracy {
  source: string;
  intercept: number;
  slope: number;
  /** Mean probability that its claims were right. */
  accuracy: number;
  /** Comparable claims it was learned from. */
  claims: number;
}

/** Two sources suspected to depend on each other (either direction, or both on a third). */
export interface SuspectedCopy {
  /** Absent: in all attributes that have no entry of their own. */
  attribute?: string;
  /** The one that comes first in code unit order. */
  first: string;
  second: string;
  /** Probability that the two are dependent. */
  probability: number;
  /** Share of its claims that the dependent source copies, as far as the chosen model counts it. */
  rate: number;
}

/** A posterior and its calibrated confidence. */
export interface CalibrationPoint {
  posterior: number;
  confidence: number;
}

/** Learned rule of when numbers agree, for an attribute without a stated tolerance. */
export interface LearnedNumbers {
  /** Greatest difference between measurements of the same value; 0 if sources give identical numbers. */
  tolerance: number;
  /** Sources that round, and the unit each rounds to; in code unit order. */
  units: { source: string; unit: number }[];
}

/** Where wrong claims of an attribute lie, on one kind of fact: shares that sum to 1. */
export interface ErrorShares {
  /** Anywhere, alike. */
  even: number;
  /** By distance from the truth in steps: 1, 2, 3 to 4, 5 to 8, and so on; above and below together. */
  near: number[];
}

/** Learned where wrong claims of an attribute lie near the truth. */
export interface LearnedErrors {
  /** Unit in which distances are measured. */
  step: number;
  /** On easy and on hard facts. */
  shares: readonly ErrorShares[];
}

/** What was learned of one attribute. */
export interface LearnedAttribute {
  attribute: string;
  /** Probability that two independent wrong claims agree. */
  falseAgreement: number;
  /** Learned from sources' repeated claims; null: never changes; absent: nothing was learned. */
  halfLifeDays?: number | null;
  /** Absent if numbers are compared exactly or by a stated tolerance. */
  numbers?: LearnedNumbers;
  /** Absent if a wrong claim is of any other value alike. */
  errors?: LearnedErrors;
  /** By rising posterior; absent where no claim was held out. */
  calibration?: CalibrationPoint[];
}

/** A model that was compared with the others. */
export interface ModelScore {
  dependence: DependenceModel;
  byAttribute: boolean;
  /** Whether wrong claims of an attribute lie near the truth. */
  near?: true;
  /** Mean log-probability of held-out claims. */
  score: number;
}

/** What was learned of the sources of one app and purpose: plain JSON that depends on live claims only. */
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
  /** Assumed of sources that are not listed. */
  unknownSource: { intercept: number; slope: number; accuracy: number };
  /** Share of hard facts, on which all sources err more often. */
  hardShare: number;
  /** Probability that two independent wrong claims agree, where the attribute is not listed. */
  falseAgreement: number;
  /** Calibration curve for attributes without their own. */
  calibration: CalibrationPoint[];
  /** In code unit order. */
  attributes: LearnedAttribute[];
  /** In code unit order. */
  sources: SourceAccuracy[];
  /** Log-odds of a source's claims in one attribute, relative to its mean; in code unit order. */
  offsets: { source: string; attribute: string; offset: number }[];
  /** In code unit order. */
  copies: SuspectedCopy[];
  /** Sources that republish one feed, in code unit order. */
  feeds: string[][];
}
