import { alternativeReason } from './alternativeReason.js';
import type { WouldWin } from './alternativeReason.js';
import { compareClaims } from './compareClaims.js';
import type { ComparedClaim } from './compareClaims.js';
import { MAX_ALTERNATIVES, MAX_EVIDENCE, POSTERIOR_MARGIN } from './constants.js';
import { estimateFact } from './estimateFact.js';
import type { FactEstimate } from './estimateFact.js';
import { explainFact } from './explainFact.js';
import { factClaims } from './factClaims.js';
import type { FactClaim, Ignored } from './factClaims.js';
import type { FactModel } from './factModel.js';
import { clamp } from './logOdds.js';
import { rankValues } from './rankValues.js';
import type { RankedValue } from './rankValues.js';
import { representativeValue } from './representativeValue.js';
import type {
  Alternative,
  AlternativeReason,
  AttributeRule,
  ResolutionClaim,
  ResolutionMethod,
  ResolvedFact,
} from './types.js';

/** Posteriors closer than this are equal. */
const TIE = 1e-9;

function methodOf(rule: AttributeRule, sources: number, values: number): ResolutionMethod {
  if (rule.method === 'most_recent') return 'most_recent';
  if (values > 1) return 'accuracy_vote';
  return sources === 1 ? 'single_source' : 'consensus';
}

function bounded(posterior: number): number {
  return clamp(posterior, POSTERIOR_MARGIN, 1 - POSTERIOR_MARGIN);
}

type Effect = Parameters<WouldWin>[0];

/** Estimates of a fact: with all effects, and without ageing. */
interface Judged {
  compared: readonly ComparedClaim[];
  facts: readonly FactClaim[];
  estimate: FactEstimate;
  ageless: FactEstimate;
}

/** Posteriors of the same values with one effect left out, computed when first asked for. */
function counterfactuals(judged: Judged, model: FactModel): (effect: Effect) => number[] {
  const { compared, facts, estimate, ageless } = judged;
  const without = (ignored: Ignored): number[] =>
    estimateFact(factClaims(compared, model, ignored), model).posteriors;
  const copies = facts.some(({ copied }) => copied > 0);
  const known: Partial<Record<Effect, number[]>> = { ageing: ageless.posteriors };
  if (!copies) known.copying = estimate.posteriors;
  return (effect) =>
    (known[effect] ??= without({ copying: effect === 'copying', accuracy: effect === 'accuracy' }));
}

function alternativesOf(
  winner: RankedValue,
  losers: readonly RankedValue[],
  rule: AttributeRule,
  without: (effect: Effect) => number[],
): Alternative[] {
  const reasonOf = (loser: RankedValue): AlternativeReason => {
    const isOlder = loser.newestDay < winner.newestDay;
    if (rule.method === 'most_recent' || loser.posterior >= winner.posterior - TIE)
      return isOlder ? 'older_observation' : 'lower_confidence';
    return alternativeReason((effect) => {
      if (effect === 'ageing' && !isOlder) return false;
      const posteriors = without(effect);
      return (posteriors[loser.group] ?? 0) >= Math.max(...posteriors) - TIE;
    });
  };
  // An alternative is a string, a number, a boolean or an object (docs/contract.md#profiles).
  const shown = losers.filter((loser) => !Array.isArray(representativeValue(loser)));
  return shown.slice(0, MAX_ALTERNATIVES).map((loser) => {
    return {
      value: representativeValue(loser),
      confidence: bounded(loser.posterior),
      reason: reasonOf(loser),
    };
  });
}

/**
 * Resolves single-valued claims, one of each source: the most probable value wins, or for volatile attributes
 * the newest.
 */
export function voteFact(claims: readonly ResolutionClaim[], model: FactModel): ResolvedFact {
  const { rule } = model;
  const compared = compareClaims(claims, model);
  const facts = factClaims(compared, model);
  const estimate = estimateFact(facts, model);
  const ranked = rankValues(
    facts,
    estimate.posteriors,
    rule.method === 'most_recent' ? 'newest' : 'posterior',
  );
  const [winner, ...others] = ranked;
  if (winner === undefined) throw new RangeError('a fact needs at least one claim');
  const losers = others.toSorted((a, b) => b.posterior - a.posterior);
  const confidence = bounded(winner.posterior);
  const ageless = model.halfLifeDays === Infinity ? estimate : estimateFact(facts, model, Infinity);
  const confidenceWithoutAge = bounded(ageless.posteriors[winner.group] ?? 0);
  const supports = (claim: { group: number }): boolean => claim.group === winner.group;
  const trace = estimate.trace(winner.group);
  return {
    resolvedValue: representativeValue(winner),
    confidence,
    resolutionMethod: methodOf(rule, facts.length, ranked.length),
    evidence: winner.claims.slice(0, MAX_EVIDENCE).map(({ claim }) => claim.id),
    alternatives: alternativesOf(
      winner,
      losers,
      rule,
      counterfactuals({ compared, facts, estimate, ageless }, model),
    ),
    explanation: explainFact(facts, trace, confidence, confidenceWithoutAge, supports, model),
  };
}
