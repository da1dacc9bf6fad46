import { ClaimVoice, ownVoice } from './ClaimVoice.js';
import type { FactClaim } from './factClaims.js';
import type { FactModel } from './factModel.js';
import { FactSmoother } from './FactSmoother.js';

/** What a claim adds to its source's accuracy depends on how right it is found, and that on the accuracy: settled in so many rounds. */
const ROUNDS = 2;

/**
 * Takes out of the log-odds of each claim what the claim itself added to them when its source's accuracy was learned. Of sources
 * with many claims that is nothing; of others a claim would vouch for itself.
 *
 * @param claims in order of observation
 */
export function quietOwnVoices(claims: readonly FactClaim[], domain: number, model: FactModel): void {
  if (claims.length < 2 || claims.every(({ curvature }) => curvature === undefined)) return;
  const smoother = new FactSmoother(
    Int32Array.from(claims, ({ group }) => group),
    Float64Array.from(claims, ({ day }) => day),
  );
  const groups = claims.reduce((most, claim) => Math.max(most, claim.group + 1), 0);
  const span = { start: 0, size: claims.length, groups, domain, halfLifeDays: model.halfLifeDays };
  const own = claims.map(({ logOdds }) => logOdds);
  const copied = Float64Array.from(claims, (claim) => claim.copied);
  const voice = new ClaimVoice();
  for (let round = 0; round < ROUNDS; round += 1) {
    smoother.smooth(
      span,
      Float64Array.from(claims, ({ logOdds }) => logOdds),
      copied,
      model.index.hardShare,
    );
    for (const [position, claim] of claims.entries()) {
      if (claim.curvature === undefined) continue;
      voice.hear(smoother, position, own[position] ?? 0, copied[position] ?? 0, domain);
      claim.logOdds = (own[position] ?? 0) - ownVoice(voice.gradient, voice.curvature, claim.curvature);
    }
  }
}
