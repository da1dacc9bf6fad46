import type { JsonValue } from '../jsonValue.js';
import { DAY_MS } from '../timestamp.js';
import { canonicalText } from './canonicalText.js';
import { compareClaims } from './compareClaims.js';
import { compareText } from './compareText.js';
import {
  MAX_ELEMENT_CHARACTERS,
  MAX_ELEMENTS,
  MAX_EVIDENCE,
  MAX_LISTED_ELEMENTS,
  POSTERIOR_MARGIN,
} from './constants.js';
import { explainFact } from './explainFact.js';
import { factClaims } from './factClaims.js';
import type { FactClaim } from './factClaims.js';
import type { FactModel } from './factModel.js';
import { clamp, logit } from './logOdds.js';
import { mean } from './mean.js';
import { rankValues } from './rankValues.js';
import { TruthFilter } from './truthFilter.js';
import type { ResolutionClaim, ResolvedFact } from './types.js';

/** Plausible values of an element: it belongs or it does not. */
const ELEMENT_DOMAIN = 2;

function elementsOf(value: JsonValue): string[] {
  return (Array.isArray(value) ? value : [value]).map((element) =>
    typeof element === 'string' ? element : JSON.stringify(element),
  );
}

interface Element {
  /** As the strongest claim writes it. */
  text: string;
  /** The claims that list it, in order of observation. */
  supporters: FactClaim[];
}

/**
 * Elements in canonical order. Beyond `MAX_ELEMENTS` or `MAX_ELEMENT_CHARACTERS` those of the strongest
 * claims are kept, and beyond `MAX_LISTED_ELEMENTS` what the strongest claims list.
 */
function collectElements(strongestFirst: readonly FactClaim[], facts: readonly FactClaim[]): Element[] {
  const elements = new Map<string, Element>();
  const keysOf = new Map<FactClaim, Set<string>>();
  let characters = 0;
  let listed = 0;
  for (const claim of strongestFirst) {
    const keys = new Set<string>();
    for (const text of elementsOf(claim.claim.value)) {
      if (listed === MAX_LISTED_ELEMENTS) break;
      const key = canonicalText(text);
      if (!elements.has(key)) {
        characters += text.length;
        if (elements.size === MAX_ELEMENTS || characters > MAX_ELEMENT_CHARACTERS) break;
        elements.set(key, { text: text.trim(), supporters: [] });
      }
      if (!keys.has(key)) listed += 1;
      keys.add(key);
    }
    keysOf.set(claim, keys);
  }
  for (const claim of facts)
    for (const key of keysOf.get(claim) ?? []) elements.get(key)?.supporters.push(claim);
  return [...elements].toSorted(([a], [b]) => compareText(a, b)).map(([, element]) => element);
}

/**
 * Posterior that an element belongs. Sources that do not list it do not count against it.
 *
 * @param isExplained whether to find out what each claim and the passing of time changed
 */
function elementTrace(
  supporters: readonly FactClaim[],
  halfLifeDays: number,
  now: Date,
  isExplained: boolean,
) {
  const model = { groups: 1, domain: ELEMENT_DOMAIN, halfLifeDays, hardShare: 0, ofElement: true };
  const filter = new TruthFilter(model);
  const shares = new Map<FactClaim, number>();
  let change = 0;
  const today = now.getTime() / DAY_MS;
  let day = Math.min(supporters[0]?.day ?? 0, today);
  let before = filter.logOdds(0);
  const changed = (): number => {
    const last = before;
    before = filter.logOdds(0);
    return before - last;
  };
  const elapse = (to: number): void => {
    const until = Math.min(to, today);
    if (until === day) return;
    filter.elapse(until - day);
    day = until;
    if (isExplained) change += changed();
  };
  for (const claim of supporters) {
    elapse(claim.day);
    filter.observe({ ...claim, group: 0 });
    if (isExplained) shares.set(claim, changed());
  }
  elapse(today);
  return { posterior: filter.probability(0), change, shares };
}

/** The trace of each element. Most elements have their supporters in common, and then their trace. */
function tracesOf(
  elements: readonly Element[],
  facts: readonly FactClaim[],
  halfLifeDays: number,
  now: Date,
  isExplained: boolean,
) {
  const placeOf = new Map(facts.map((claim, place) => [claim, place]));
  const known = new Map<string, ReturnType<typeof elementTrace>>();
  return elements.map(({ supporters }) => {
    const key = supporters.map((claim) => placeOf.get(claim)).join();
    const trace = known.get(key) ?? elementTrace(supporters, halfLifeDays, now, isExplained);
    known.set(key, trace);
    return trace;
  });
}

/**
 * Unites sets of strings, one of each source. `confidence` is the elements' mean posterior: the expected
 * share of true ones.
 */
export function uniteFact(claims: readonly ResolutionClaim[], model: FactModel): ResolvedFact {
  const { halfLifeDays, now } = model;
  const one = claims.map((claim) => ({ ...claim, canonical: '' }));
  const facts = factClaims(compareClaims(one, model), model);
  const ranked = rankValues(facts, [1], 'posterior')[0]?.claims ?? [];
  const elements = collectElements(ranked, facts);
  const traces = tracesOf(elements, facts, halfLifeDays, now, true);
  const confidence = confidenceOf(traces, facts, true);
  const ageless = confidenceOf(tracesOf(elements, facts, Infinity, now, false), facts, false);
  const shares = sharesOf(facts, traces);
  const change = mean(traces.map((each) => each.change));
  const trace = { prior: 0, change, calibration: 0, shares, logOdds: logit(confidence) };
  return {
    resolvedValue: elements.map((element) => element.text),
    confidence,
    resolutionMethod: 'union',
    evidence: ranked.slice(0, MAX_EVIDENCE).map(({ claim }) => claim.id),
    alternatives: [],
    explanation: explainFact(facts, trace, confidence, ageless, () => true, model),
  };
}

/** What each claim changed, in the mean over the elements. */
function sharesOf(
  facts: readonly FactClaim[],
  traces: readonly { shares: ReadonlyMap<FactClaim, number> }[],
): number[] {
  const sums = new Map<FactClaim, number>();
  for (const trace of traces)
    for (const [claim, share] of trace.shares) sums.set(claim, (sums.get(claim) ?? 0) + share);
  return facts.map((claim) => (sums.get(claim) ?? 0) / Math.max(1, traces.length));
}

/** Mean posterior of the elements; for empty sets, mean reliability of the claims. */
function confidenceOf(
  traces: readonly { posterior: number }[],
  facts: readonly FactClaim[],
  ages: boolean,
): number {
  const reliabilities = facts.map((claim) => claim.reliability * (ages ? claim.decay : 1));
  const posterior = traces.length === 0 ? mean(reliabilities) : mean(traces.map((trace) => trace.posterior));
  return clamp(posterior, POSTERIOR_MARGIN, 1 - POSTERIOR_MARGIN);
}
