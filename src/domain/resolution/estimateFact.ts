import { DAY_MS } from '../timestamp.js';
import { domainOf } from './factClaims.js';
import type { FactClaim } from './factClaims.js';
import type { FactModel } from './factModel.js';
import { numberOf } from './numberOf.js';
import { groupPlaces } from './groupPlaces.js';
import { Neighbourhood } from './Neighbourhood.js';
import { TruthFilter } from './truthFilter.js';
import type { TruthModel } from './truthFilter.js';
import type { CalibrationPoint } from './types.js';

/** The terms of one value's log-odds. */
export interface Trace {
  prior: number;
  change: number;
  calibration: number;
  /** One per claim, in the order of the claims. */
  shares: number[];
  logOdds: number;
}

export interface FactEstimate {
  /** Posterior probability of each group now. */
  posteriors: number[];
  trace(group: number): Trace;
}

type Step = 'change' | 'claim' | 'calibration';

function run(
  claims: readonly FactClaim[],
  model: TruthModel,
  curve: readonly CalibrationPoint[],
  now: Date,
  after: (filter: TruthFilter, step: Step) => void,
): TruthFilter {
  const filter = new TruthFilter(model);
  const today = now.getTime() / DAY_MS;
  let day = Math.min(claims[0]?.day ?? 0, today);
  after(filter, 'change');
  for (const claim of claims) {
    const until = Math.min(claim.day, today);
    filter.elapse(until - day);
    day = until;
    after(filter, 'change');
    filter.observe(claim);
    after(filter, 'claim');
  }
  filter.calibrate(curve);
  after(filter, 'calibration');
  filter.elapse(today - day);
  after(filter, 'change');
  return filter;
}

function neighbourhood(
  claims: readonly FactClaim[],
  groups: number,
  { index }: FactModel,
): Neighbourhood | undefined {
  const learned = index.errors(claims[0]?.claim.attribute ?? '');
  if (learned === undefined) return undefined;
  const placed = claims.map(({ group, canonical, unit }) => ({ group, number: numberOf(canonical), unit }));
  const near = new Neighbourhood();
  near.arrange(groupPlaces(placed, groups, learned.step), groups, learned.errors);
  return near;
}

/** The posterior of every claimed value. `claims`: one per source, in order of observation. */
export function estimateFact(
  claims: readonly FactClaim[],
  model: FactModel,
  halfLifeDays = model.halfLifeDays,
): FactEstimate {
  const { index, now } = model;
  const groups = claims.reduce((most, claim) => Math.max(most, claim.group + 1), 0);
  const truth = {
    groups,
    domain: domainOf(claims, model),
    halfLifeDays,
    hardShare: index.hardShare,
    near: neighbourhood(claims, groups, model),
  };
  const curve = index.calibration(claims[0]?.claim.attribute ?? '');
  const filter = run(claims, truth, curve, now, () => {});
  const posteriors = filter.probabilities().slice(0, groups);
  const trace = (group: number): Trace => {
    const result: Trace = {
      prior: new TruthFilter(truth).logOdds(group),
      change: 0,
      calibration: 0,
      shares: [],
      logOdds: 0,
    };
    let before = result.prior;
    run(claims, truth, curve, now, (filter, step) => {
      result.logOdds = filter.logOdds(group);
      if (step === 'claim') result.shares.push(result.logOdds - before);
      else result[step] += result.logOdds - before;
      before = result.logOdds;
    });
    return result;
  };
  return { posteriors, trace };
}
