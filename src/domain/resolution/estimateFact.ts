import type { AccuracyIndex } from './accuracyIndex.js';
import type { FactClaim } from './factClaims.js';
import { TruthFilter } from './truthFilter.js';
import type { TruthModel } from './truthFilter.js';

const MILLISECONDS_PER_DAY = 86_400_000;

/** How one value's log-odds came about. */
export interface Trace {
  prior: number;
  change: number;
  /** One per claim, in the order of the claims. */
  shares: number[];
  logOdds: number;
}

export interface FactEstimate {
  /** Posterior probability of each group now. */
  posteriors: number[];
  trace(group: number): Trace;
}

function run(
  claims: readonly FactClaim[],
  model: TruthModel,
  now: Date,
  step: (filter: TruthFilter, at: number) => void,
) {
  const filter = new TruthFilter(model);
  let day = claims[0]?.day ?? 0;
  step(filter, 0);
  for (const claim of claims) {
    filter.elapse(claim.day - day);
    day = claim.day;
    step(filter, 0);
    filter.observe(claim);
    step(filter, 1);
  }
  filter.elapse(now.getTime() / MILLISECONDS_PER_DAY - day);
  step(filter, 0);
  return filter;
}

function trace(claims: readonly FactClaim[], model: TruthModel, now: Date, group: number): Trace {
  const result: Trace = { prior: -Math.log(model.domain - 1), change: 0, shares: [], logOdds: 0 };
  let before = result.prior;
  run(claims, model, now, (filter, observed) => {
    result.logOdds = filter.logOdds(group);
    if (observed === 1) result.shares.push(result.logOdds - before);
    else result.change += result.logOdds - before;
    before = result.logOdds;
  });
  return result;
}

/** The posterior of every claimed value. `claims`: one per source, in order of observation. */
export function estimateFact(
  claims: readonly FactClaim[],
  index: AccuracyIndex,
  halfLifeDays: number,
  now: Date,
): FactEstimate {
  const groups = claims.reduce((most, claim) => Math.max(most, claim.group + 1), 0);
  const attribute = claims[0]?.claim.attribute ?? '';
  const model = { groups, domain: Math.max(2, groups, 1 + 1 / index.falseAgreement(attribute)), halfLifeDays };
  const filter = run(claims, model, now, () => {});
  const posteriors = Array.from({ length: groups }, (_, group) => filter.probability(group));
  return { posteriors, trace: (group) => trace(claims, model, now, group) };
}
