import { binOf, BINS, clampProbability, middleOf } from './calibrationBins.js';
import { NO_DOUBT_CLAIMS, POOLED_DOUBT_CLAIMS } from './constants.js';
import type { HeldOutClaim } from './HeldOut.js';
import { clamp } from './logOdds.js';
import { rising } from './rising.js';
import type { CalibrationPoint } from './types.js';

/** Number of sums per bin, in the order of `Bins.add`. */
const SUMS = 8;

/** Sums over held-out claims, per bin of the winner's posterior. */
class Bins {
  readonly #sums = new Float64Array(BINS.length * SUMS);

  add(bin: number, claim: HeldOutClaim): void {
    const values = [
      1,
      claim.winner,
      Number(claim.says === 'winner'),
      claim.expectedWinner,
      Number(claim.says === 'runnerUp'),
      claim.expectedRunnerUp,
      claim.expectedMistake,
      claim.reliability,
    ];
    for (const [index, value] of values.entries()) {
      this.#sums[bin * SUMS + index] = (this.#sums[bin * SUMS + index] ?? 0) + value;
    }
  }

  claims(bin: number): number {
    return this.#sums[bin * SUMS] ?? 0;
  }

  /** Mean posterior of the winners; the middle of the bin if it has few claims. */
  winner(bin: number): number {
    const mean = (this.#sums[bin * SUMS + 1] ?? 0) / this.claims(bin);
    if (this.claims(bin) > 20) return mean;
    return middleOf(bin);
  }

  /**
   * How much the winners' posteriors are too high. Independent sources that are right claim the true value.
   * If they claim the runner-up more often than expected, or the winner less often, the winner is wrong more
   * often than its posterior says.
   */
  doubt(bin: number): number {
    const claims = this.claims(bin);
    if (claims === 0) return 0;
    const sums = this.#sums.subarray(bin * SUMS, (bin + 1) * SUMS);
    const [, winner = 0, agreed = 0, expected = 0, other = 0, expectedOther = 0, mistakes = 0, right = 0] =
      sums;
    const ofRunnerUp = (other - expectedOther) / Math.max(0.2 * claims, right - mistakes);
    const ofWinner = (winner / claims) * (1 - agreed / expected);
    return clamp(Math.max(ofRunnerUp, ofWinner), -0.5, 0.9);
  }
}

/** Learns the calibration of contested facts without ground truth, over all attributes and for each. */
export class DoubtCurve {
  readonly #pooled = new Bins();
  readonly #byAttribute = new Map<number, Bins>();

  add(claim: HeldOutClaim): void {
    const bin = binOf(claim.winner);
    this.#pooled.add(bin, claim);
    const bins = this.#byAttribute.get(claim.attribute) ?? new Bins();
    bins.add(bin, claim);
    this.#byAttribute.set(claim.attribute, bins);
  }

  overall(): CalibrationPoint[] {
    return this.#curve(this.#pooled, (bin) => this.#pooledDoubt(bin));
  }

  /** Curve of an attribute, shrunk towards the overall curve; undefined if no claim was held out. */
  of(attribute: number): CalibrationPoint[] | undefined {
    const bins = this.#byAttribute.get(attribute);
    if (bins === undefined) return undefined;
    return this.#curve(bins, (bin) => {
      const claims = bins.claims(bin);
      const pooled = POOLED_DOUBT_CLAIMS * this.#pooledDoubt(bin);
      return (claims * bins.doubt(bin) + pooled) / (claims + POOLED_DOUBT_CLAIMS);
    });
  }

  #pooledDoubt(bin: number): number {
    const claims = this.#pooled.claims(bin);
    return (claims * this.#pooled.doubt(bin)) / (claims + NO_DOUBT_CLAIMS);
  }

  #curve(bins: Bins, doubt: (bin: number) => number): CalibrationPoint[] {
    const winners = BINS.map((bin) => clampProbability(bins.winner(bin)));
    const trusted = winners.map((winner, bin) => winner - Math.max(0, doubt(bin)));
    const weights = BINS.map((bin) => bins.claims(bin) + 1);
    return rising(trusted, weights).map((confidence, bin) => {
      return { posterior: winners[bin] ?? 0, confidence: clampProbability(confidence) };
    });
  }
}
