import { hash } from 'node:crypto';
import { DAY_MS } from '../timestamp.js';
import { attributeRule } from './attributeRule.js';
import type { AttributeRegistry } from './attributeRule.js';
import { canonicalValue } from './canonicalValue.js';
import { statedLogOdds } from './claimLogOdds.js';
import { compareText } from './compareText.js';
import { DEFAULT_HALF_LIFE_DAYS, MAX_LEARNED_CLAIMS, MAX_SOURCES_PER_FACT, MIN_DOMAIN } from './constants.js';
import { GrowingArray } from './GrowingArray.js';
import { HalfLives } from './HalfLives.js';
import { hasLearnedTolerance } from './hasLearnedTolerance.js';
import { numberOf } from './numberOf.js';
import { groupValues } from './groupValues.js';
import { isUnion } from './isUnion.js';
import { learnNumbers, powersOf } from './learnNumbers.js';
import { learnPlaces } from './learnPlaces.js';
import { latestPerSource, repeatsPerSource } from './latestPerSource.js';
import type { LearningData } from './LearningData.js';
import type { AttributeRule, ResolutionClaim } from './types.js';

/** An index for each distinct text. */
class TextIndex {
  readonly #indexes = new Map<string, number>();
  readonly texts: string[] = [];

  indexOf(text: string): number {
    const known = this.#indexes.get(text);
    if (known !== undefined) return known;
    this.#indexes.set(text, this.texts.length);
    return this.texts.push(text) - 1;
  }
}

const int32 = (length: number): Int32Array => new Int32Array(length);
const float32 = (length: number): Float32Array => new Float32Array(length);
const float64 = (length: number): Float64Array => new Float64Array(length);

/** 52 bits of SHA-256. They decide the fact's position in the order and whether it is sampled. */
function hashOf(factKey: string): number {
  return Number.parseInt(hash('sha256', factKey, 'hex').slice(0, 13), 16);
}

/**
 * Collects facts for learning, in about 24 bytes per claim. Leaves out facts of one source and sets that
 * would be united, because they are no evidence of accuracy. Above `maxClaims` it keeps a sample of whole
 * facts, chosen by hash, so that the sample depends on the live claims only, not on their order or history.
 */
export class ClaimTable {
  readonly #registry: AttributeRegistry;
  readonly #maxClaims: number;
  readonly #sources = new TextIndex();
  readonly #attributes = new TextIndex();
  readonly #distinct = new Map<string, Set<string>>();
  readonly #halfLives = new HalfLives();
  #threshold = 2 ** 52;
  #hashes = new GrowingArray(float64);
  #attributeOf = new GrowingArray(int32);
  #groupsOf = new GrowingArray(int32);
  #sizes = new GrowingArray(int32);
  #sourceOf = new GrowingArray(int32);
  #groupOf = new GrowingArray(int32);
  #dayOf = new GrowingArray(float64);
  #statedOf = new GrowingArray(float32);
  /** Per claim: its number, or `NaN`. Empty until an attribute needs it. */
  #numberOf = new GrowingArray(float64);

  constructor(registry: AttributeRegistry, maxClaims: number = MAX_LEARNED_CLAIMS) {
    this.#registry = registry;
    this.#maxClaims = maxClaims;
  }

  /** Adds the live claims of one customer and attribute. `factKey` is unique to the two. */
  addFact(factKey: string, claims: readonly ResolutionClaim[]): void {
    const [first] = claims;
    if (first === undefined || claims.length < 2) return;
    const rule = attributeRule(this.#registry, first.attribute);
    const latest = inOrderOfObservation(latestPerSource(claims, MAX_SOURCES_PER_FACT));
    if (isUnion(latest, rule)) return;
    this.#addRepeats(first.attribute, claims, rule);
    if (latest.length < 2) return;
    const canonicals = latest.map((claim) => claim.canonical ?? canonicalValue(claim.value, rule));
    this.#addDistinct(first.attribute, canonicals);
    const hash = hashOf(factKey);
    if (hash >= this.#threshold) return;
    const groups = groupValues(canonicals, rule);
    this.#addNumbers(rule, canonicals);
    for (const [index, claim] of latest.entries()) {
      this.#sourceOf.push(this.#sources.indexOf(claim.source));
      this.#groupOf.push(groups.get(canonicals[index] ?? '') ?? 0);
      this.#dayOf.push(Date.parse(claim.observedAt) / DAY_MS);
      this.#statedOf.push(statedLogOdds(claim.confidence));
    }
    this.#hashes.push(hash);
    this.#attributeOf.push(this.#attributes.indexOf(first.attribute));
    this.#groupsOf.push(new Set(groups.values()).size);
    this.#sizes.push(latest.length);
    while (this.#sourceOf.length > this.#maxClaims && this.#hashes.length > 1) this.#halve();
  }

  #addRepeats(attribute: string, claims: readonly ResolutionClaim[], rule: AttributeRule): void {
    for (const [latest, before] of repeatsPerSource(claims)) {
      const days = (Date.parse(latest.observedAt) - Date.parse(before.observedAt)) / DAY_MS;
      const canonicals = [latest, before].map(
        (claim) => claim.canonical ?? canonicalValue(claim.value, rule),
      );
      this.#halfLives.addRepeat(attribute, days, differenceOf(canonicals, rule));
    }
  }

  #addNumbers(rule: AttributeRule, canonicals: readonly string[]): void {
    const numbers = canonicals.map((canonical) => (isNumeric(rule) ? numberOf(canonical) : Number.NaN));
    if (this.#numberOf.length === 0 && numbers.every(Number.isNaN)) return;
    while (this.#numberOf.length < this.#sourceOf.length) this.#numberOf.push(Number.NaN);
    for (const number of numbers) this.#numberOf.push(number);
  }

  /** Of all facts, also those outside the sample: which ones were kept meanwhile depends on their order. */
  #addDistinct(attribute: string, canonicals: readonly string[]): void {
    const known = this.#distinct.get(attribute) ?? new Set<string>();
    this.#distinct.set(attribute, known);
    for (const canonical of canonicals) if (known.size < MIN_DOMAIN) known.add(canonical);
  }

  /** Learned from repeated claims where the registry has none; what a repeat is depends on the tolerances. */
  #learnHalfLives(data: LearningData): LearningData {
    for (const [index, name] of data.attributes.entries()) {
      const configured = attributeRule(this.#registry, name).halfLifeDays;
      const tolerance = data.learnedNumbers[index]?.tolerance ?? 0;
      const learned = configured === undefined ? this.#halfLives.of(name, tolerance) : undefined;
      data.learnedHalfLives[index] = learned;
      data.halfLives[index] = configured ?? learned ?? DEFAULT_HALF_LIFE_DAYS;
    }
    return data;
  }

  #halve(): void {
    this.#threshold /= 2;
    let fact = 0;
    let claim = 0;
    let read = 0;
    const hashes = this.#hashes.view();
    for (let index = 0; index < hashes.length; index += 1) {
      const size = this.#sizes.view()[index] ?? 0;
      if ((hashes[index] ?? 0) < this.#threshold) {
        for (const column of [this.#hashes, this.#attributeOf, this.#groupsOf, this.#sizes])
          move(column.view(), index, fact, 1);
        for (const column of this.#claimColumns()) move(column.view(), read, claim, size);
        fact += 1;
        claim += size;
      }
      read += size;
    }
    for (const column of [this.#hashes, this.#attributeOf, this.#groupsOf, this.#sizes])
      column.truncate(fact);
    for (const column of this.#claimColumns()) column.truncate(claim);
  }

  #claimColumns() {
    const columns = [this.#sourceOf, this.#groupOf, this.#dayOf, this.#statedOf];
    return this.#numberOf.length === 0 ? columns : [...columns, this.#numberOf];
  }

  /** The table in its canonical order. */
  read(): LearningData {
    const hashes = this.#hashes.view();
    const order = Uint32Array.from(hashes.keys()).sort((a, b) => (hashes[a] ?? 0) - (hashes[b] ?? 0));
    const offsets = offsetsOf(this.#sizes.view());
    const sources = ranking(this.#sources.texts, this.#sourceOf.view());
    const attributes = ranking(this.#attributes.texts, this.#attributeOf.view());
    const claimOrder = new Uint32Array(this.#sourceOf.length);
    const starts = new Int32Array(order.length + 1);
    let position = 0;
    for (const [place, fact] of order.entries()) {
      const start = offsets[fact] ?? 0;
      const size = this.#sizes.view()[fact] ?? 0;
      for (let claim = start; claim < start + size; claim += 1) claimOrder[position++] = claim;
      starts[place + 1] = position;
    }
    const at = <A extends Int32Array | Float32Array | Float64Array>(
      column: A,
      rows: Uint32Array,
      make: (length: number) => A,
    ): A => {
      const picked = make(rows.length);
      for (let index = 0; index < rows.length; index += 1) picked[index] = column[rows[index] ?? 0] ?? 0;
      return picked;
    };
    const data: LearningData = {
      sources: sources.texts,
      attributes: attributes.texts,
      distinctOf: Int32Array.from(attributes.texts, (name) => this.#distinct.get(name)?.size ?? 0),
      halfLives: new Float64Array(attributes.texts.length),
      learnedHalfLives: [],
      learnedNumbers: [],
      steps: [],
      placeOf: new Float64Array(0),
      starts,
      attributeOf: at(this.#attributeOf.view(), order, int32).map((index) => attributes.rank[index] ?? 0),
      groupsOf: at(this.#groupsOf.view(), order, int32),
      sourceOf: at(this.#sourceOf.view(), claimOrder, int32).map((index) => sources.rank[index] ?? 0),
      groupOf: at(this.#groupOf.view(), claimOrder, int32),
      dayOf: at(this.#dayOf.view(), claimOrder, float64),
      statedOf: at(this.#statedOf.view(), claimOrder, float32),
    };
    if (this.#numberOf.length === 0) return this.#learnHalfLives(data);
    const numbers = at(this.#numberOf.view(), claimOrder, float64);
    const factsOf = attributes.texts.map((): number[] => []);
    for (const [fact, attribute] of data.attributeOf.entries()) factsOf[attribute]?.push(fact);
    const rules = attributes.texts.map((name) => attributeRule(this.#registry, name));
    data.placeOf = new Float64Array(numbers.length).fill(Number.NaN);
    for (const [attribute, rule] of rules.entries()) {
      if (!isNumeric(rule)) continue;
      const facts = factsOf[attribute] ?? [];
      const powers = powersOf(data, numbers, facts);
      if (hasLearnedTolerance(rule))
        data.learnedNumbers[attribute] = learnNumbers(data, numbers, facts, powers);
      data.steps[attribute] = learnPlaces(data, numbers, facts, powers, rule.tolerance ?? 0);
    }
    return this.#learnHalfLives(data);
  }
}

/** How far two values lie apart: 0 if they agree, `Infinity` if no learned tolerance joins them. */
function differenceOf(canonicals: readonly string[], rule: AttributeRule): number {
  if (new Set(groupValues(canonicals, rule).values()).size === 1) return 0;
  const [a = Number.NaN, b = Number.NaN] = hasLearnedTolerance(rule) ? canonicals.map(numberOf) : [];
  return Number.isNaN(a - b) ? Infinity : Math.abs(a - b);
}

/** Whether values of the attribute may lie on a scale: numbers, also as texts without a type. */
function isNumeric({ type }: AttributeRule): boolean {
  return type === undefined || type === 'number';
}

function inOrderOfObservation(claims: readonly ResolutionClaim[]): ResolutionClaim[] {
  return claims.toSorted(
    (a, b) => Date.parse(a.observedAt) - Date.parse(b.observedAt) || compareText(a.source, b.source),
  );
}

function move(
  column: { copyWithin(target: number, start: number, end: number): unknown },
  from: number,
  to: number,
  size: number,
): void {
  column.copyWithin(to, from, from + size);
}

function offsetsOf(sizes: Int32Array): Int32Array {
  const offsets = new Int32Array(sizes.length + 1);
  for (let index = 0; index < sizes.length; index += 1)
    offsets[index + 1] = (offsets[index] ?? 0) + (sizes[index] ?? 0);
  return offsets;
}

/** The texts in use, in code unit order, and the rank of each by its former index. */
function ranking(texts: readonly string[], used: Int32Array): { texts: string[]; rank: Int32Array } {
  const inUse = [...new Set(used)].toSorted((a, b) => compareText(texts[a] ?? '', texts[b] ?? ''));
  const rank = new Int32Array(texts.length);
  for (const [place, index] of inUse.entries()) rank[index] = place;
  return { texts: inUse.map((index) => texts[index] ?? ''), rank };
}
