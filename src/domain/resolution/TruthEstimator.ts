import type { LearningData } from './LearningData.js';
import { ClaimVoice, ownVoice } from './ClaimVoice.js';
import { CONVERGED, HARD_SHARE_FACTS, INITIAL_HARD_SHARE, MAX_ROUNDS, MIN_ROUNDS } from './constants.js';
import type { Dependence } from './Dependence.js';
import { DomainSearch } from './DomainSearch.js';
import { FactSmoother } from './FactSmoother.js';
import type { FactSpan } from './FactSmoother.js';
import { NearErrors, NEAR_DOMAIN } from './NearErrors.js';
import { Neighbourhood } from './Neighbourhood.js';
import { SHIFTS } from './reliabilityIn.js';
import { SourceModel } from './SourceModel.js';

/** What has log-odds of its own beside each source: nothing, each attribute, or each source in each. */
export type Offsets = 'none' | 'attributes' | 'sources';

/** Inputs of the estimation. */
export interface EstimatorStart {
  data: LearningData;
  /** Number of facts to learn from, the first ones. Facts are in hash order, so these are a random sample. */
  facts: number;
  dependence: Dependence;
  offsets: Offsets;
  /** Attributes whose wrong claims lie near the truth. */
  near: ReadonlySet<number>;
  /** Per source. */
  accuracies: Float64Array;
}

/** Over-relaxation exponent for updates of the share of hard facts, which converges slowly otherwise. */
const RELAXATION = 1.8;

/** Rounds in which the domains are searched. */
function searchesDomains(round: number): boolean {
  return round >= 2 && (round < 6 || round % 4 === 0);
}

/** Per claim its cell (its attribute, or a source in one attribute), and the cells; empty without offsets. */
function cellsOf({ data, offsets }: EstimatorStart): { cellOf: Int32Array; cells: Map<number, number> } {
  const cells = new Map<number, number>();
  if (offsets === 'none') return { cellOf: new Int32Array(0), cells };
  const cellOf = new Int32Array(data.sourceOf.length);
  for (let fact = 0; fact + 1 < data.starts.length; fact += 1) {
    const attribute = data.attributeOf[fact] ?? 0;
    for (let claim = data.starts[fact] ?? 0; claim < (data.starts[fact + 1] ?? 0); claim += 1) {
      const source = offsets === 'sources' ? (data.sourceOf[claim] ?? 0) : 0;
      const key = source * data.attributes.length + attribute;
      const cell = cells.get(key) ?? cells.size;
      cells.set(key, cell);
      cellOf[claim] = cell;
    }
  }
  return { cellOf, cells };
}

/**
 * Generalised expectation maximisation over which claims were right, how reliable the sources are, how many
 * values an attribute may have and how many facts are hard. Copying is an input and not estimated, so that a
 * suspicion cannot confirm itself.
 */
export class TruthEstimator {
  readonly data: LearningData;
  readonly sources: SourceModel;
  readonly domains: DomainSearch;
  readonly smoother: FactSmoother;
  /** Per claim, where there are offsets. */
  readonly cellOf: Int32Array;
  /** Index of a cell, by source times the number of attributes, plus attribute. */
  readonly cells: ReadonlyMap<number, number>;
  /** Of the attributes of `near`. */
  readonly errors: ReadonlyMap<number, NearErrors>;
  readonly #near = new Neighbourhood();
  #places = new Float64Array(0);
  hardShare = INITIAL_HARD_SHARE;
  /** Per claim of the fact last prepared: log-odds without the claim's own effect; probability of a copy. */
  logOdds = new Float64Array(0);
  copied = new Float64Array(0);
  /** As `logOdds`, with the claim's own effect on its source. */
  #ownLogOdds = new Float64Array(0);
  /** Per claim: gradient and curvature of the last round. */
  readonly #gradients: Float32Array;
  readonly #curvatures: Float32Array;
  #hardFacts = 0;
  readonly #voice = new ClaimVoice();

  constructor(readonly start: EstimatorStart) {
    const { data, facts } = start;
    this.data = data;
    const { cellOf, cells } = cellsOf(start);
    this.cellOf = cellOf;
    this.cells = cells;
    this.sources = new SourceModel(start.accuracies, cells.size, start.near.size > 0);
    this.smoother = new FactSmoother(data.groupOf, data.dayOf);
    this.domains = new DomainSearch(data, facts);
    this.errors = new Map([...start.near].map((attribute) => [attribute, new NearErrors()]));
    const claims = data.starts[facts] ?? 0;
    this.#gradients = new Float32Array(claims);
    this.#curvatures = new Float32Array(claims);
  }

  /** Learns; yields after about `factsPerStep` facts. */
  *fit(factsPerStep: number): Generator<undefined, void, undefined> {
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      if (searchesDomains(round))
        yield* this.domains.search((fact, domain) => this.#logEvidence(fact, domain), factsPerStep);
      this.sources.forget();
      this.#hardFacts = 0;
      for (let fact = 0; fact < this.start.facts; fact += 1) {
        this.#expect(fact);
        if (fact % factsPerStep === factsPerStep - 1) yield undefined;
      }
      const change = this.sources.update();
      for (const errors of this.errors.values()) errors.update();
      this.#updateHardShare(round);
      if (round + 1 >= MIN_ROUNDS && change < CONVERGED) return;
    }
  }

  #logEvidence(fact: number, domain: number): number {
    if (this.errors.has(this.data.attributeOf[fact] ?? 0)) return 0;
    const span = this.span(fact, domain);
    this.prepare(fact);
    this.smoother.smooth(span, this.logOdds, this.copied, this.hardShare);
    let sum = this.smoother.logEvidence;
    for (let group = 0; group < span.groups; group += 1) sum += Math.log(span.domain - group);
    return sum;
  }

  span(fact: number, domain = this.domainOf(this.data.attributeOf[fact] ?? 0)): FactSpan {
    const start = this.data.starts[fact] ?? 0;
    const groups = this.data.groupsOf[fact] ?? 0;
    return {
      start,
      size: (this.data.starts[fact + 1] ?? 0) - start,
      groups,
      domain: Math.max(2, groups, domain),
      halfLifeDays: this.data.halfLives[this.data.attributeOf[fact] ?? 0] ?? Infinity,
      near: this.#neighbourhood(fact),
    };
  }

  /** Number of plausible values of an attribute. */
  domainOf(attribute: number): number {
    return this.errors.has(attribute) ? NEAR_DOMAIN : this.domains.of(attribute);
  }

  #neighbourhood(fact: number): Neighbourhood | undefined {
    const { attributeOf, starts, groupOf, groupsOf, placeOf } = this.data;
    const errors = this.errors.get(attributeOf[fact] ?? 0);
    if (errors === undefined) return undefined;
    const groups = groupsOf[fact] ?? 0;
    if (this.#places.length < groups) this.#places = new Float64Array(2 * groups);
    for (let claim = starts[fact] ?? 0; claim < (starts[fact + 1] ?? 0); claim += 1)
      this.#places[groupOf[claim] ?? 0] = placeOf[claim] ?? Number.NaN;
    this.#near.arrange(this.#places, groups, errors);
    return this.#near;
  }

  /** Adds how far the claims of the fact last smoothed lie from what may be true. */
  #addErrors(fact: number, { start, size, near }: FactSpan): void {
    const errors = this.errors.get(this.data.attributeOf[fact] ?? 0);
    if (errors === undefined || near === undefined || errors.isFull) return;
    for (let claim = 0; claim < size; claim += 1) {
      const own = this.data.groupOf[start + claim] ?? 0;
      for (let kind = 0; kind < SHIFTS.length; kind += 1) {
        const weight = this.smoother.weight(kind) * (1 - (this.copied[claim] ?? 0));
        if (weight === 0) continue;
        for (let state = 0; state < near.states; state += 1) {
          const claims = weight * this.smoother.stateIn(kind, claim, state);
          if (state !== own) errors.add(kind, near.slot(own, state), claims);
        }
      }
    }
  }

  cell(claim: number): number {
    return this.cellOf[claim] ?? -1;
  }

  /** Fills `logOdds` and `copied` for a fact. */
  prepare(fact: number): void {
    const start = this.data.starts[fact] ?? 0;
    const size = (this.data.starts[fact + 1] ?? 0) - start;
    if (this.logOdds.length < size) {
      this.logOdds = new Float64Array(2 * size);
      this.#ownLogOdds = new Float64Array(2 * size);
      this.copied = new Float64Array(2 * size);
    }
    for (let claim = 0; claim < size; claim += 1) {
      const at = start + claim;
      const source = this.data.sourceOf[at] ?? 0;
      const own = this.sources.logOdds(source, this.data.statedOf[at] ?? 0, this.cell(at));
      this.#ownLogOdds[claim] = own;
      const total = this.sources.curvature(source);
      this.logOdds[claim] = own - ownVoice(this.#gradients[at] ?? 0, this.#curvatures[at] ?? 0, total);
    }
    this.#markCopies(start, size, this.data.attributeOf[fact] ?? 0);
  }

  /** Sets the probability that each claim is a copy of an earlier claim on the same value. */
  #markCopies(start: number, size: number, attribute: number): void {
    const { dependence } = this.start;
    this.copied.fill(0, 0, size);
    if (dependence.model === 'independent') return;
    const { sourceOf, groupOf } = this.data;
    for (let claim = 1; claim < size; claim += 1) {
      const group = groupOf[start + claim];
      const source = sourceOf[start + claim] ?? 0;
      if (!dependence.isSuspect(source)) continue;
      for (let other = 0; other < claim; other += 1) {
        if (groupOf[start + other] !== group) continue;
        const copying = dependence.copying(sourceOf[start + other] ?? 0, source, attribute);
        if (copying === 0) continue;
        const copier = this.#comesBefore(start, other, claim) ? claim : other;
        this.copied[copier] = 1 - (1 - (this.copied[copier] ?? 0)) * (1 - copying);
      }
    }
  }

  /** Removes the evidence of some claims of the fact last prepared, also as originals of copies. */
  leaveOut(fact: number, isLeftOut: Uint8Array): void {
    const start = this.data.starts[fact] ?? 0;
    const size = (this.data.starts[fact + 1] ?? 0) - start;
    const { dependence } = this.start;
    const attribute = this.data.attributeOf[fact] ?? 0;
    for (let claim = 0; claim < size; claim += 1) {
      const source = this.data.sourceOf[start + claim] ?? 0;
      let own = isLeftOut[claim] === 1 ? 0 : 1;
      for (let other = 0; own > 0 && dependence.isSuspect(source) && other < size; other += 1) {
        if (other === claim || isLeftOut[other] === 1) continue;
        if (this.data.groupOf[start + other] !== this.data.groupOf[start + claim]) continue;
        if (!this.#comesBefore(start, other, claim)) continue;
        own *= 1 - dependence.copying(this.data.sourceOf[start + other] ?? 0, source, attribute);
      }
      this.copied[claim] = 1 - own;
    }
  }

  /** Whether claim `a` precedes claim `b` on the same value, by time and then by reliability. */
  #comesBefore(start: number, a: number, b: number): boolean {
    const days = (this.data.dayOf[start + a] ?? 0) - (this.data.dayOf[start + b] ?? 0);
    if (days !== 0) return days < 0;
    const reliability = (this.#ownLogOdds[a] ?? 0) - (this.#ownLogOdds[b] ?? 0);
    return reliability === 0 ? a < b : reliability > 0;
  }

  #expect(fact: number): void {
    const span = this.span(fact);
    this.prepare(fact);
    this.smoother.smooth(span, this.logOdds, this.copied, this.hardShare);
    this.#hardFacts += this.smoother.weight(1);
    for (let claim = 0; claim < span.size; claim += 1) this.#addClaim(span, claim);
    this.#addErrors(fact, span);
  }

  #addClaim({ start, domain }: FactSpan, claim: number): void {
    const at = start + claim;
    const voice = this.#voice;
    voice.hear(this.smoother, claim, this.#ownLogOdds[claim] ?? 0, this.copied[claim] ?? 0, domain);
    this.#gradients[at] = voice.gradient;
    this.#curvatures[at] = voice.curvature;
    const source = this.data.sourceOf[at] ?? 0;
    this.sources.add(source, this.data.statedOf[at] ?? 0, this.cell(at), voice.gradient, voice.curvature);
  }

  #updateHardShare(round: number): void {
    const share = (this.#hardFacts + HARD_SHARE_FACTS - 1) / (this.start.facts + HARD_SHARE_FACTS);
    if (round < 3) {
      this.hardShare = share;
      return;
    }
    const easy = (1 - this.hardShare) * ((1 - share) / (1 - this.hardShare)) ** RELAXATION;
    const hard = Math.max(1e-4, this.hardShare * (share / this.hardShare) ** RELAXATION);
    this.hardShare = hard / (Math.max(1e-4, easy) + hard);
  }
}
