import { logistic, logit } from '../../src/domain/resolution/logOdds.js';
import type { ResolutionClaim } from '../../src/domain/resolution/types.js';
import type { BenchFact } from './BenchFact.js';
import { NOW } from './generateScenario.js';
import { Random } from './Random.js';

const MILLISECONDS_PER_DAY = 86_400_000;

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

/** What a generated set is like. */
export interface World {
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
  /**
   * Values are measured: with a spread for each source between the two, and one common to all, and some round
   * to tens.
   */
  numbers?: { spread: readonly [number, number]; shared: number; rounding: number };
  /** Whether the truth changes, with this half-life in days. */
  halfLifeDays?: number;
}

const COMMON = { sources: 16, facts: 2000, coverage: 0.6, values: 20 } as const;

export const WORLDS: Readonly<Record<string, World>> = {
  'a right feed': { ...COMMON, accuracy: [0.45, 0.75], feeds: [{ sources: 5, accuracy: [0.9], rate: 0.95 }] },
  'a wrong feed': { ...COMMON, accuracy: [0.6, 0.85], feeds: [{ sources: 5, accuracy: [0.45], rate: 0.95 }] },
  'a feed right in one attribute': {
    ...COMMON,
    attributes: 3,
    accuracy: [0.55, 0.8],
    feeds: [{ sources: 5, accuracy: [0.95, 0.4, 0.6], rate: 0.95 }],
  },
  'popular errors': { ...COMMON, coverage: 0.4, accuracy: [0.55, 0.85], popular: 0.7 },
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

/** Three more sources, or of very many one in ten, copy another four times in five. */
const COPY_RATE = 0.8;
const COPIERS = 3;

interface Statement {
  value: number;
  ageDays: number;
}

/** One generated set; a function of the seed. */
export class WorldGenerator {
  readonly #world: World;
  readonly #random: Random;
  readonly #accuracies: number[];
  readonly #names: string[];
  /** Per source: the one that it copies, or -1. */
  readonly #copies: number[];

  constructor(world: World, copying: boolean, seed: number) {
    this.#world = world;
    const random = (this.#random = new Random(seed * 7919 + 17));
    const [least, most] = world.accuracy;
    const sources = Array.from({ length: world.sources }, (_, source) => source);
    this.#accuracies = sources.map(() => least + (most - least) * random.next());
    if (world.hasOracle === true) this.#accuracies[world.sources - 1] = 1;
    this.#names = random.shuffled(sources).map((name) => `source-${String(name).padStart(4, '0')}`);
    const fed = (world.feeds ?? []).reduce((sum, feed) => sum + feed.sources, 0);
    const copiers = world.sources > 100 ? world.sources / 10 : COPIERS;
    this.#copies = sources.map((source) => (copying && source > fed && source <= fed + copiers ? fed : -1));
  }

  facts(): BenchFact[] {
    const facts = Array.from({ length: this.#world.facts }, (_, number) => this.#fact(number));
    return facts.filter(({ claims }) => claims.length > 0);
  }

  #fact(number: number): BenchFact {
    const world = this.#world;
    const attribute = number % (world.attributes ?? 1);
    const truthAt = this.#truth();
    const truth = truthAt(0);
    const popular = (truth + 1 + this.#random.below(world.values - 1)) % world.values;
    const hardness = (world.difficulty ?? 0) * this.#random.normal();
    const common = (world.numbers?.shared ?? 0) * this.#random.normal();
    const say = (accuracy: number, ageDays: number, spread: number): Statement => {
      const now = truthAt(ageDays);
      if (world.numbers !== undefined) {
        return { value: Math.round(now + common + spread * this.#random.normal()), ageDays };
      }
      const isRight = accuracy === 1 || this.#random.next() < logistic(logit(accuracy) - hardness);
      if (isRight) return { value: now, ageDays };
      const isPopular = this.#random.next() < (world.popular ?? 0) && popular !== now;
      return {
        value: isPopular ? popular : (now + 1 + this.#random.below(world.values - 1)) % world.values,
        ageDays,
      };
    };
    const feeds = (world.feeds ?? []).map((feed) => {
      const accuracy = feed.accuracy[attribute % feed.accuracy.length] ?? 0;
      return say(accuracy, feed.lag ?? 0, 1.5 * (1 - accuracy));
    });
    const statements = this.#claimants().map((source) => [source, this.#stated(source, feeds, say)] as const);
    const byOwner = new Map(statements);
    const claims = statements.map(([source, own]): ResolutionClaim => {
      const original = byOwner.get(this.#copies[source] ?? -1);
      const isCopy = original !== undefined && this.#random.next() < COPY_RATE;
      const { value, ageDays } = isCopy
        ? { ...original, ageDays: original.ageDays * this.#random.next() }
        : own;
      return this.#claim(number, attribute, source, this.#rounded(source, value), ageDays);
    });
    return { key: `fact-${number}`, attribute: `attribute-${attribute}`, claims, truth: String(truth) };
  }

  /** The true value by age in days. */
  #truth(): (ageDays: number) => number {
    const { values, halfLifeDays } = this.#world;
    const draw = (): number => this.#random.below(values);
    if (halfLifeDays === undefined) {
      const only = draw();
      return () => only;
    }
    const changes = [{ until: 0, value: draw() }];
    for (let age = 0; age < 2000;) {
      age -= (halfLifeDays / Math.LN2) * Math.log(1 - this.#random.next());
      changes.push({ until: age, value: draw() });
    }
    return (ageDays) => (changes.findLast(({ until }) => until <= ageDays) ?? { value: 0 }).value;
  }

  #claimants(): number[] {
    const { sources, coverage } = this.#world;
    if (typeof coverage === 'number') {
      return this.#accuracies.flatMap((_, source) => (this.#random.next() < coverage ? [source] : []));
    }
    const chosen = Array.from({ length: coverage.claims - 1 + this.#random.below(3) }, () =>
      this.#random.below(sources),
    );
    return [...new Set(chosen)];
  }

  #stated(
    source: number,
    feeds: readonly Statement[],
    say: (...how: [number, number, number]) => Statement,
  ): Statement {
    let first = 0;
    for (const [index, feed] of (this.#world.feeds ?? []).entries()) {
      const fed = feeds[index];
      const isOfFeed = source >= first && source < first + feed.sources;
      // What a feed lags behind, its sources state as of today.
      if (isOfFeed && fed !== undefined && this.#random.next() < feed.rate) return { ...fed, ageDays: 0 };
      first += feed.sources;
    }
    const age = this.#world.halfLifeDays === undefined ? 0 : 200 * this.#random.next() ** 2;
    const [least, most] = this.#world.numbers?.spread ?? [0, 0];
    return say(this.#accuracies[source] ?? 0, age, least + ((most - least) * source) / this.#world.sources);
  }

  #rounded(source: number, value: number): number {
    return source < (this.#world.numbers?.rounding ?? 0) ? Math.round(value / 10) * 10 : value;
  }

  #claim(number: number, attribute: number, source: number, value: number, ageDays: number): ResolutionClaim {
    return {
      id: `clm_${number}_${source}`,
      attribute: `attribute-${attribute}`,
      value: this.#world.numbers === undefined ? String(value) : value,
      source: this.#names[source] ?? '',
      observedAt: new Date(NOW.getTime() - ageDays * MILLISECONDS_PER_DAY).toISOString(),
      sequence: source,
      confidence: 0.9,
    };
  }
}
