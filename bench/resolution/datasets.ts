/** Sources that take what they say from one place. */
interface Feed {
  sources: number;
  /** How often the feed is right, by attribute. */
  accuracy: readonly number[];
  /** How often a source of it says what it says. */
  rate: number;
  /** How old what it says is, in days. */
  lag?: number;
}

/** How values are measured. */
interface Measured {
  /** Standard deviations of what a source errs by lie between the two. */
  spread: readonly [number, number];
  /** Standard deviation of an error that is common to all. */
  shared: number;
  /** So many sources round to tens. */
  rounding: number;
  /** By attribute: how much all errors are magnified. */
  widths?: readonly number[];
  /** Standard deviation, over facts, of the logarithm by which all errors are magnified. */
  unevenness?: number;
  /** Standard deviation of what a source is always off by in an attribute. */
  bias?: number;
  /** Whether claims state the number as text, so that it is compared as text. */
  isText?: boolean;
}

/** What a generated set is like. */
export interface Dataset {
  sources: number;
  facts: number;
  /** Probability that a source claims a fact; or, of very many sources, how many claim each. */
  coverage: number | { claims: number };
  /** Accuracies of the sources are spread evenly between the two. */
  accuracy: readonly [number, number];
  values: number;
  attributes?: number;
  feeds?: readonly Feed[];
  /** How often a wrong source says the one wrong value that is popular. */
  popular?: number;
  /** Standard deviation of the facts' difficulty, in log-odds. */
  difficulty?: number;
  /** One source that is always right. */
  hasOracle?: boolean;
  numbers?: Measured;
  /** Whether the truth changes, with this half-life in days. */
  halfLifeDays?: number;
  /** Claims of the same sources about other attributes, whose truth is unknown. */
  beside?: Dataset;
  /** Aim of calibration, where it is not `MAX_CALIBRATION_ERROR`. */
  maxCalibrationError?: number;
}

/** Aim of calibration (issue 16). */
export const MAX_CALIBRATION_ERROR = 0.05;

const COMMON = { sources: 16, facts: 2000, coverage: 0.6, values: 20 } as const;

const FORECASTS = {
  ...COMMON,
  attributes: 5,
  facts: 3000,
  coverage: 0.76,
  accuracy: [1, 1],
  values: 60,
} as const;

const FORECAST_ERRORS = {
  spread: [0.4, 1.6],
  rounding: 0,
  widths: [1, 1.6, 0.7, 0.5, 2.5],
  unevenness: 0.6,
} as const;

const POPULAR_ERRORS = { ...COMMON, coverage: 0.4, accuracy: [0.55, 0.85], popular: 0.7 } as const;

const FORECASTS_OF_THREE_FEEDS: Dataset = {
  ...FORECASTS,
  numbers: { ...FORECAST_ERRORS, shared: 0.6, bias: 0.2, isText: true },
  feeds: [
    { sources: 4, accuracy: [0.75], rate: 0.9 },
    { sources: 4, accuracy: [0.5], rate: 0.9 },
    { sources: 3, accuracy: [0.3], rate: 0.9 },
  ],
};

export const DATASETS: Readonly<Record<string, Dataset>> = {
  'a right feed': { ...COMMON, accuracy: [0.45, 0.75], feeds: [{ sources: 5, accuracy: [0.9], rate: 0.95 }] },
  'a wrong feed': { ...COMMON, accuracy: [0.6, 0.85], feeds: [{ sources: 5, accuracy: [0.45], rate: 0.95 }] },
  'a feed right in one attribute': {
    ...COMMON,
    attributes: 3,
    accuracy: [0.55, 0.8],
    feeds: [{ sources: 5, accuracy: [0.95, 0.4, 0.6], rate: 0.95 }],
  },
  'popular errors': POPULAR_ERRORS,
  'popular errors, among forecasts': {
    ...POPULAR_ERRORS,
    facts: 1500,
    beside: { ...FORECASTS_OF_THREE_FEEDS, facts: 1500 },
  },
  'hard and easy facts': { ...COMMON, coverage: 0.5, accuracy: [0.6, 0.9], difficulty: 1.5, popular: 0.4 },
  'numbers, noisy and rounded': {
    ...COMMON,
    accuracy: [0.6, 0.9],
    values: 1e6,
    numbers: { spread: [0.3, 1], shared: 0, rounding: 4 },
  },
  'measured weather': {
    ...COMMON,
    attributes: 5,
    facts: 4000,
    coverage: 0.76,
    accuracy: [1, 1],
    values: 40,
    numbers: { spread: [0.7, 1.6], shared: 0.4, rounding: 0 },
    feeds: [
      { sources: 6, accuracy: [0.7], rate: 0.8 },
      { sources: 4, accuracy: [0.55], rate: 0.8 },
    ],
  },
  'forecasts told as text': {
    ...FORECASTS,
    numbers: { ...FORECAST_ERRORS, shared: 0.5, bias: 0.2, isText: true },
    feeds: [
      { sources: 5, accuracy: [0.75], rate: 0.85 },
      { sources: 3, accuracy: [0.5], rate: 0.85 },
    ],
  },
  'forecasts with biases': {
    ...FORECASTS,
    numbers: { ...FORECAST_ERRORS, shared: 0.4, bias: 0.5 },
    feeds: [
      { sources: 6, accuracy: [0.75], rate: 0.8 },
      { sources: 4, accuracy: [0.5], rate: 0.8 },
    ],
  },
  'forecasts of three feeds': FORECASTS_OF_THREE_FEEDS,
  'a feed, and an error of all': {
    ...FORECASTS,
    numbers: { ...FORECAST_ERRORS, shared: 0.8, bias: 0.2 },
    feeds: [{ sources: 7, accuracy: [0.75], rate: 0.7 }],
    maxCalibrationError: 0.12,
  },
  'a stale feed': {
    ...COMMON,
    accuracy: [0.6, 0.85],
    feeds: [{ sources: 4, accuracy: [0.9], rate: 0.95, lag: 300 }],
    halfLifeDays: 200,
  },
  'one source always right': { ...COMMON, accuracy: [0.4, 0.7], hasOracle: true },
  '16 sources, 10,000 facts each': {
    ...COMMON,
    facts: 10_000,
    coverage: 1,
    values: 30,
    accuracy: [0.35, 0.75],
    difficulty: 1,
    popular: 0.2,
    feeds: [{ sources: 5, accuracy: [0.8], rate: 0.9 }],
  },
  '4,000 sources, 5 facts each': {
    ...COMMON,
    sources: 4000,
    facts: 5000,
    coverage: { claims: 4 },
    values: 10,
    accuracy: [0.5, 0.9],
  },
};

/** Whether values are compared as numbers. */
export function isNumeric({ numbers }: Dataset): boolean {
  return numbers !== undefined && numbers.isText !== true;
}
