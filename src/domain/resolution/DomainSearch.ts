import type { LearningData } from './LearningData.js';
import {
  DOMAINS,
  INITIAL_FALSE_AGREEMENT,
  MAX_DOMAIN_FACTS,
  MIN_DOMAIN,
  MIN_FACTS_OF_DOMAIN,
} from './constants.js';

const MAX_FACTS_OF_SET = 3000;
const MAX_CLIMBS = 6;

/** Log-probability of the partition of a fact's claims into values, whichever the values are. */
export type EvidenceOfFact = (fact: number, domain: number) => number;

/** Attributes that share one number of plausible values, and a sample of their facts. */
interface DomainSet {
  attributes: number[];
  facts: number[];
  domain: number;
}

function sampleOf(facts: readonly number[], most: number): number[] {
  if (facts.length <= most) return [...facts];
  return Array.from({ length: most }, (_, index) => facts[Math.floor((index * facts.length) / most)] ?? 0);
}

/** One set per attribute with enough facts, and one for all others. Unanimous facts are evidence too. */
function setsOf(data: LearningData, count: number): DomainSet[] {
  const byAttribute = data.attributes.map((): number[] => []);
  for (let fact = 0; fact < count; fact += 1) byAttribute[data.attributeOf[fact] ?? 0]?.push(fact);
  const sets: DomainSet[] = [];
  const rest: DomainSet = { attributes: [], facts: [], domain: 1 + 1 / INITIAL_FALSE_AGREEMENT };
  for (const [attribute, facts] of byAttribute.entries()) {
    if (facts.length >= MIN_FACTS_OF_DOMAIN) sets.push({ ...rest, attributes: [attribute], facts });
    else {
      rest.attributes.push(attribute);
      for (const fact of facts) rest.facts.push(fact);
    }
  }
  if (rest.facts.length > 0) sets.push(rest);
  const most = Math.min(
    MAX_FACTS_OF_SET,
    Math.max(MIN_FACTS_OF_DOMAIN, Math.floor(MAX_DOMAIN_FACTS / sets.length)),
  );
  return sets.map((set) => ({ ...set, facts: sampleOf(set.facts, most) }));
}

/**
 * Estimates how many values an attribute may plausibly have, claimed or not: few if wrong claims often agree.
 * Hill climbing over `DOMAINS` maximises the likelihood of how claims fall into values.
 */
export class DomainSearch {
  readonly #data: LearningData;
  readonly #sets: DomainSet[];
  readonly #setOf: DomainSet[];
  readonly #rest: DomainSet | undefined;

  constructor(data: LearningData, facts: number) {
    this.#data = data;
    this.#sets = setsOf(data, facts);
    this.#setOf = [];
    for (const set of this.#sets) for (const attribute of set.attributes) this.#setOf[attribute] = set;
    this.#rest = this.#sets.find((set) => set.attributes.length > 1);
  }

  of(attribute: number): number {
    return this.#setOf[attribute]?.domain ?? this.overall;
  }

  /** For attributes with little or no evidence. */
  get overall(): number {
    return this.#rest?.domain ?? this.#meanDomain();
  }

  /** Averages false agreement over facts, not the domains, which span orders of magnitude. */
  #meanDomain(): number {
    let weight = 1;
    let sum = INITIAL_FALSE_AGREEMENT;
    for (const { facts, domain } of this.#sets) {
      weight += facts.length;
      sum += facts.length / (domain - 1);
    }
    return 1 + weight / sum;
  }

  *search(evidenceOf: EvidenceOfFact, factsPerStep: number): Generator<undefined, void, undefined> {
    for (const set of this.#sets) {
      const claimed = set.attributes.reduce(
        (most, each) => Math.max(most, this.#data.distinctOf[each] ?? 0),
        0,
      );
      const grid = DOMAINS.filter((domain) => domain >= Math.max(2, Math.min(MIN_DOMAIN, claimed)));
      yield* climb(set, grid, evidenceOf, factsPerStep);
    }
  }
}

function nearest(grid: readonly number[], domain: number): number {
  let best = 0;
  for (const [index, each] of grid.entries()) {
    if (Math.abs(each - domain) < Math.abs((grid[best] ?? 0) - domain)) best = index;
  }
  return best;
}

function* climb(
  set: DomainSet,
  grid: readonly number[],
  evidenceOf: EvidenceOfFact,
  factsPerStep: number,
): Generator<undefined, void, undefined> {
  const known = new Map<number, number>();
  const value = function* (index: number): Generator<undefined, number, undefined> {
    const before =
      known.get(index) ?? (yield* evidence(set.facts, grid[index] ?? 2, evidenceOf, factsPerStep));
    known.set(index, before);
    return before;
  };
  let at = nearest(grid, set.domain);
  for (let step = 0; step < MAX_CLIMBS; step += 1) {
    let best = at;
    for (const next of [at - 1, at + 1]) {
      if (next < 0 || next >= grid.length) continue;
      if ((yield* value(next)) > (yield* value(best)) + 1e-6) best = next;
    }
    if (best === at) break;
    at = best;
  }
  set.domain = grid[at] ?? set.domain;
}

function* evidence(
  facts: readonly number[],
  domain: number,
  evidenceOf: EvidenceOfFact,
  factsPerStep: number,
): Generator<undefined, number, undefined> {
  let sum = 0;
  for (const [index, fact] of facts.entries()) {
    sum += evidenceOf(fact, domain);
    if (index % factsPerStep === factsPerStep - 1) yield undefined;
  }
  return sum;
}
