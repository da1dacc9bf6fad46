import { ClaimVoice, ownVoice } from './ClaimVoice.js';
import type { FactClaim } from './factClaims.js';
import type { FactModel } from './factModel.js';
import { FactSmoother } from './FactSmoother.js';

/** Fixed-point rounds: a claim's effect on its source's accuracy depends on its posterior, and vice versa. */
const ROUNDS = 2;

/** Facts with more claims get temporary arrays, so that no larger ones stay in memory. */
const KEPT_CLAIMS = 32;

/** The claims of a fact, as a smoother reads them. Reused, because allocation costs more than filling. */
class Workspace {
  readonly #groupOf: Int32Array;
  readonly #dayOf: Float64Array;
  readonly smoother: FactSmoother;
  readonly logOdds: Float64Array;
  readonly copied: Float64Array;

  constructor(claims: number) {
    this.#groupOf = new Int32Array(claims);
    this.#dayOf = new Float64Array(claims);
    this.logOdds = new Float64Array(claims);
    this.copied = new Float64Array(claims);
    this.smoother = new FactSmoother(this.#groupOf, this.#dayOf);
  }

  fill(claims: readonly FactClaim[]): void {
    for (const [position, claim] of claims.entries()) {
      this.#groupOf[position] = claim.group;
      this.#dayOf[position] = claim.day;
      this.logOdds[position] = claim.logOdds;
      this.copied[position] = claim.copied;
    }
  }
}

const kept = new Workspace(KEPT_CLAIMS);

/**
 * Removes from each claim's log-odds what the claim itself added when its source's accuracy was learned.
 * Otherwise claims of sources with few claims would support themselves; with many claims the effect is
 * negligible.
 *
 * @param claims in order of observation
 */
export function quietOwnVoices(claims: readonly FactClaim[], domain: number, model: FactModel): void {
  if (claims.length < 2 || claims.every(({ curvature }) => curvature === undefined)) return;
  const workspace = claims.length > KEPT_CLAIMS ? new Workspace(claims.length) : kept;
  const { smoother, logOdds, copied } = workspace;
  workspace.fill(claims);
  const groups = claims.reduce((most, claim) => Math.max(most, claim.group + 1), 0);
  const span = { start: 0, size: claims.length, groups, domain, halfLifeDays: model.halfLifeDays };
  const voice = new ClaimVoice();
  for (let round = 0; round < ROUNDS; round += 1) {
    smoother.smooth(span, logOdds, copied, model.index.hardShare);
    for (const [position, claim] of claims.entries()) {
      if (claim.curvature === undefined) continue;
      voice.hear(smoother, position, claim.logOdds, claim.copied, domain);
      logOdds[position] = claim.logOdds - ownVoice(voice.gradient, voice.curvature, claim.curvature);
    }
  }
  for (const [position, claim] of claims.entries()) claim.logOdds = logOdds[position] ?? 0;
}
