import { expect } from 'chai';
import type { FactClaim } from '../../../src/domain/resolution/factClaims.js';
import { factModel } from '../../../src/domain/resolution/factModel.js';
import { initialAccuracies } from '../../../src/domain/resolution/initialAccuracies.js';
import { quietOwnVoices } from '../../../src/domain/resolution/quietOwnVoices.js';
import { NOW } from './arbitraries.js';

const DOMAIN = 10;

function claimOf(source: string, group: number, fields: Partial<FactClaim> = {}): FactClaim {
  const observedAt = '2025-06-01T00:00:00.000Z';
  return {
    claim: { id: source, attribute: 'city', value: group, source, observedAt, sequence: 1, confidence: 0.9 },
    canonical: String(group),
    group,
    day: 20_240,
    unit: 0,
    sourceAccuracy: 0.8,
    curvature: 2,
    logOdds: 1.4,
    reliability: 0.8,
    decay: 1,
    copied: 0,
    copyOf: null,
    ...fields,
  };
}

/** By how much the log-odds of each claim change. */
function changes(claims: readonly FactClaim[]): number[] {
  const before = claims.map(({ logOdds }) => logOdds);
  const model = factModel('city', { ...initialAccuracies(), version: 1 }, { halfLifeDays: Infinity }, NOW);
  quietOwnVoices(claims, DOMAIN, model);
  return claims.map(({ logOdds }, position) => logOdds - (before[position] ?? 0));
}

/** Three claims on one value, one on another. */
function divided(first: Partial<FactClaim> = {}): FactClaim[] {
  return [claimOf('a', 0, first), claimOf('b', 0), claimOf('c', 0), claimOf('d', 1)];
}

describe('quietOwnVoices', () => {
  it('lowers the log-odds of claims found right and raises those of claims found wrong', () => {
    const [first = 0, , third = 0, last = 0] = changes(divided());
    expect(first).to.be.lessThan(0);
    expect(third).to.equal(first);
    expect(last).to.be.greaterThan(0);
  });

  it('does not change copies or claims of unlearned sources', () => {
    const [copy, ...others] = changes(divided({ copied: 1 }));
    expect(copy).to.equal(0);
    expect(others).to.deep.equal(changes(divided().slice(1)));
    const [unknown = 1, known = 0] = changes(divided({ curvature: undefined }));
    expect(unknown).to.equal(0);
    expect(known).to.be.lessThan(0);
  });

  it('changes a fact the same after larger and smaller facts', () => {
    const crowd = (): FactClaim[] =>
      Array.from({ length: 40 }, (_, number) => claimOf(`s${number}`, number % 3));
    const alone = changes(crowd());
    const small = changes(divided());
    expect(changes(crowd())).to.deep.equal(alone);
    expect(changes(divided())).to.deep.equal(small);
  });
});
