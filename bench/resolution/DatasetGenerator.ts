import { logistic, logit } from '../../src/domain/resolution/logOdds.js';
import type { ResolutionClaim } from '../../src/domain/resolution/types.js';
import type { BenchFact } from './BenchFact.js';
import { NOW } from './generateScenario.js';
import { Random } from './Random.js';
import { isNumeric } from './datasets.js';
import type { Dataset } from './datasets.js';

const MILLISECONDS_PER_DAY = 86_400_000;

/** Three more sources, or of very many one in ten, copy another four times in five. */
const COPY_RATE = 0.8;
const COPIERS = 3;

interface Statement {
  value: number;
  ageDays: number;
}

/**
 * What a source says that is right so often, of so many days ago, with this spread and bias if it measures.
 */
type Say = (accuracy: number, ageDays: number, spread: number, bias?: number) => Statement;

/** A fact of the other attributes of a set: apart from its own facts, and without its truth. */
function besideOf(fact: BenchFact): BenchFact {
  const attribute = `beside-${fact.attribute}`;
  const claims = fact.claims.map((claim) => ({ ...claim, id: `beside-${claim.id}`, attribute }));
  return { key: `beside-${fact.key}`, attribute, claims, truth: null };
}

/** One generated set; a function of the seed. */
export class DatasetGenerator {
  readonly #dataset: Dataset;
  readonly #random: Random;
  readonly #accuracies: number[];
  readonly #names: string[];
  /** Per source: the one that it copies, or -1. */
  readonly #copies: number[];
  /** Per source and attribute: what it is always off by. */
  readonly #biases: readonly (readonly number[])[];
  readonly #besides: readonly BenchFact[];

  constructor(dataset: Dataset, copying: boolean, seed: number) {
    this.#dataset = dataset;
    const random = (this.#random = new Random(seed * 7919 + 17));
    const [least, most] = dataset.accuracy;
    const sources = Array.from({ length: dataset.sources }, (_, source) => source);
    this.#accuracies = sources.map(() => least + (most - least) * random.next());
    if (dataset.hasOracle === true) this.#accuracies[dataset.sources - 1] = 1;
    this.#names = random.shuffled(sources).map((name) => `source-${String(name).padStart(4, '0')}`);
    const fed = (dataset.feeds ?? []).reduce((sum, feed) => sum + feed.sources, 0);
    const copiers = dataset.sources > 100 ? dataset.sources / 10 : COPIERS;
    this.#copies = sources.map((source) => (copying && source > fed && source <= fed + copiers ? fed : -1));
    const { bias } = dataset.numbers ?? {};
    this.#biases =
      bias === undefined
        ? []
        : sources.map(() => Array.from({ length: dataset.attributes ?? 1 }, () => bias * random.normal()));
    this.#besides =
      dataset.beside === undefined ? [] : new DatasetGenerator(dataset.beside, copying, seed).facts();
  }

  facts(): BenchFact[] {
    const facts = Array.from({ length: this.#dataset.facts }, (_, number) => this.#fact(number));
    return [...facts.filter(({ claims }) => claims.length > 0), ...this.#besides.map(besideOf)];
  }

  #fact(number: number): BenchFact {
    const dataset = this.#dataset;
    const attribute = number % (dataset.attributes ?? 1);
    const truthAt = this.#truth();
    const truth = truthAt(0);
    const popular = (truth + 1 + this.#random.below(dataset.values - 1)) % dataset.values;
    const hardness = (dataset.difficulty ?? 0) * this.#random.normal();
    const scale = this.#scale(attribute);
    const common = (dataset.numbers?.shared ?? 0) * scale * this.#random.normal();
    const say: Say = (accuracy, ageDays, spread, bias = 0) => {
      const now = truthAt(ageDays);
      if (dataset.numbers !== undefined) {
        const error = bias + common + spread * scale * this.#random.normal();
        return { value: Math.round(now + error), ageDays };
      }
      const isRight = accuracy === 1 || this.#random.next() < logistic(logit(accuracy) - hardness);
      if (isRight) return { value: now, ageDays };
      const isPopular = this.#random.next() < (dataset.popular ?? 0) && popular !== now;
      return {
        value: isPopular ? popular : (now + 1 + this.#random.below(dataset.values - 1)) % dataset.values,
        ageDays,
      };
    };
    const feeds = (dataset.feeds ?? []).map((feed) => {
      const accuracy = feed.accuracy[attribute % feed.accuracy.length] ?? 0;
      return say(accuracy, feed.lag ?? 0, 1.5 * (1 - accuracy));
    });
    const statements = this.#claimants().map(
      (source) => [source, this.#stated(source, attribute, feeds, say)] as const,
    );
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
    const { values, halfLifeDays } = this.#dataset;
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
    const { sources, coverage } = this.#dataset;
    if (typeof coverage === 'number') {
      return this.#accuracies.flatMap((_, source) => (this.#random.next() < coverage ? [source] : []));
    }
    const chosen = Array.from({ length: coverage.claims - 1 + this.#random.below(3) }, () =>
      this.#random.below(sources),
    );
    return [...new Set(chosen)];
  }

  /** By how much the errors of a fact are magnified. */
  #scale(attribute: number): number {
    const { widths = [1], unevenness } = this.#dataset.numbers ?? {};
    const uneven = unevenness === undefined ? 1 : Math.exp(unevenness * this.#random.normal());
    return uneven * (widths[attribute % widths.length] ?? 1);
  }

  #stated(source: number, attribute: number, feeds: readonly Statement[], say: Say): Statement {
    let first = 0;
    for (const [index, feed] of (this.#dataset.feeds ?? []).entries()) {
      const fed = feeds[index];
      const isOfFeed = source >= first && source < first + feed.sources;
      // What a feed lags behind, its sources state as of today.
      if (isOfFeed && fed !== undefined && this.#random.next() < feed.rate) return { ...fed, ageDays: 0 };
      first += feed.sources;
    }
    const age = this.#dataset.halfLifeDays === undefined ? 0 : 200 * this.#random.next() ** 2;
    const [least, most] = this.#dataset.numbers?.spread ?? [0, 0];
    const spread = least + ((most - least) * source) / this.#dataset.sources;
    return say(this.#accuracies[source] ?? 0, age, spread, this.#biases[source]?.[attribute]);
  }

  #rounded(source: number, value: number): number {
    return source < (this.#dataset.numbers?.rounding ?? 0) ? Math.round(value / 10) * 10 : value;
  }

  #claim(number: number, attribute: number, source: number, value: number, ageDays: number): ResolutionClaim {
    return {
      id: `clm_${number}_${source}`,
      attribute: `attribute-${attribute}`,
      value: isNumeric(this.#dataset) ? value : String(value),
      source: this.#names[source] ?? '',
      observedAt: new Date(NOW.getTime() - ageDays * MILLISECONDS_PER_DAY).toISOString(),
      sequence: source,
      confidence: 0.9,
    };
  }
}
