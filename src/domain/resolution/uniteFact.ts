import { DAY_MS } from '../timestamp.js';
import { canonicalText } from './canonicalText.js';
import { compareClaims } from './compareClaims.js';
import { compareText } from './compareText.js';
import { MAX_EVIDENCE, POSTERIOR_MARGIN } from './constants.js';
import { explainFact } from './explainFact.js';
import { factClaims } from './factClaims.js';
import type { FactClaim } from './factClaims.js';
import type { FactModel } from './factModel.js';
import { clamp, logit } from './logOdds.js';
import { rankValues } from './rankValues.js';
import { TruthFilter } from './truthFilter.js';
import type { JsonValue, ResolutionClaim, ResolvedFact } from './types.js';

/** Plausible values of an element: it belongs or it does not. */
const ELEMENT_DOMAIN = 2;

function elementsOf(value: JsonValue): string[] {
  return (Array.isArray(value) ? value : [value]).map((element) =>
    typeof element === 'string' ? element : JSON.stringify(element),
  );
}

/** Elements in canonical order, each with its claims and its text as the strongest claim writes it. */
function collectElements(strongestFirst: readonly FactClaim[]): { text: string; claims: Set<FactClaim> }[] {
  const elements = new Map<string, { text: string; claims: Set<FactClaim> }>();
  for (const claim of strongestFirst) {
    for (const text of elementsOf(claim.claim.value)) {
      const key = canonicalText(text);
      const element = elements.get(key) ?? { text: text.trim(), claims: new Set() };
      element.claims.add(claim);
      elements.set(key, element);
    }
  }
  return [...elements].toSorted(([a], [b]) => compareText(a, b)).map(([, element]) => element);
}

/** Posterior that an element belongs. Sources that do not list it do not count against it. */
function elementTrace(supporters: readonly FactClaim[], halfLifeDays: number, now: Date) {
  const model = { groups: 1, domain: ELEMENT_DOMAIN, halfLifeDays, hardShare: 0, ofElement: true };
  const filter = new TruthFilter(model);
  const shares = new Map<FactClaim, number>();
  let change = 0;
  let day = supporters[0]?.day ?? 0;
  let logOdds = filter.logOdds(0);
  const elapse = (until: number): void => {
    filter.elapse(until - day);
    day = until;
    change += filter.logOdds(0) - logOdds;
    logOdds = filter.logOdds(0);
  };
  for (const claim of supporters) {
    elapse(claim.day);
    filter.observe({ ...claim, group: 0 });
    shares.set(claim, filter.logOdds(0) - logOdds);
    logOdds = filter.logOdds(0);
  }
  elapse(now.getTime() / DAY_MS);
  return { posterior: filter.probability(0), change, shares };
}

function mean(numbers: readonly number[]): number {
  return numbers.length === 0 ? 0 : numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

/** Unites sets of strings. `confidence` is the elements' mean posterior: the expected share of true ones. */
export function uniteFact(claims: readonly ResolutionClaim[], model: FactModel): ResolvedFact {
  const { halfLifeDays, now } = model;
  const one = claims.map((claim) => ({ ...claim, canonical: '' }));
  const facts = factClaims(compareClaims(one, model), model);
  const ranked = rankValues(facts, [1], 'posterior')[0]?.claims ?? [];
  const elements = collectElements(ranked);
  const tracesWith = (halfLife: number) =>
    elements.map((element) => {
      const supporters = facts.filter((claim) => element.claims.has(claim));
      return elementTrace(supporters, halfLife, now);
    });
  const traces = tracesWith(halfLifeDays);
  const confidence = confidenceOf(traces, facts, true);
  const ageless = confidenceOf(tracesWith(Infinity), facts, false);
  const shares = facts.map((claim) => mean(traces.map((trace) => trace.shares.get(claim) ?? 0)));
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
