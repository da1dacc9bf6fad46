import { expect } from 'chai';
import { NOW } from '../../../bench/resolution/generateScenario.js';
import { DatasetGenerator } from '../../../bench/resolution/DatasetGenerator.js';
import { Random } from '../../../bench/resolution/Random.js';
import { learn, resolveOursWith } from '../../../bench/resolution/resolveOurs.js';
import { scoreAnswers } from '../../../bench/resolution/scoreAnswers.js';
import { isNumeric, DATASETS } from '../../../bench/resolution/datasets.js';
import type { Dataset } from '../../../bench/resolution/datasets.js';

/** By how much the mean confidence is above the share of facts that are right. */
function excess(name: string): number {
  const dataset = { ...(DATASETS[name] as Dataset), facts: 1500 };
  const facts = new DatasetGenerator(dataset, false, 51).facts();
  const registry = {
    '*': { halfLifeDays: Infinity, ...(isNumeric(dataset) && { type: 'number' as const }) },
  };
  const answers = resolveOursWith(learn(facts, registry), facts, registry, NOW);
  const sum = answers.reduce(
    (total, { value, confidence }, index) => total + confidence - Number(value === facts[index]?.truth),
    0,
  );
  return sum / facts.length;
}

/** Facts of two claims that are nearly always right, and of three that are right half of the time. */
function smallFacts() {
  const random = new Random(7);
  const sources = Array.from({ length: 12 }, (_, source) => `s${source}`);
  return Array.from({ length: 2600 }, (_, number) => {
    const isHard = number % 4 === 0;
    const truth = `t${number}`;
    const claims = random
      .shuffled(sources)
      .slice(0, isHard ? 3 : 2)
      .map((source) => ({
        id: `${source}-${number}`,
        attribute: 'a',
        value: random.next() < (isHard ? 0.5 : 0.9) ? truth : `w${random.below(2)}-${number}`,
        source,
        observedAt: '2025-06-01T00:00:00.000Z',
        sequence: number,
        confidence: 0.9,
      }));
    return { key: `f${number}`, attribute: 'a', truth, claims };
  });
}

/** Facts of two attributes: all sources are right of one nine times in ten, of the other four times. */
function hardAndEasyAttributes() {
  const random = new Random(11);
  const sources = Array.from({ length: 12 }, (_, source) => `s${source}`);
  return Array.from({ length: 2400 }, (_, number) => {
    const attribute = number % 2 === 0 ? 'easy' : 'hard';
    const claims = random.shuffled(sources).map((source) => ({
      id: `${source}-${number}`,
      attribute,
      value: random.next() < (attribute === 'easy' ? 0.9 : 0.4) ? 'truth' : `w${random.below(9)}`,
      source,
      observedAt: '2025-06-01T00:00:00.000Z',
      sequence: number,
      confidence: 0.9,
    }));
    return { key: `f${number}`, attribute, truth: 'truth', claims: claims.slice(0, 4) };
  });
}

/** Facts of which some changed once, claimed at any time by sources that are nearly always right. */
function changedFacts() {
  const random = new Random(11);
  const days = 2000;
  return Array.from({ length: 3000 }, (_, number) => {
    const changedAt = random.next() < 0.3 ? days * random.next() : days;
    const sources = Array.from({ length: 12 }, (_source, source) => source);
    const claiming = random.shuffled(sources).slice(0, 8);
    const claims = claiming.map((source, sequence) => {
      const age = days * random.next();
      const truth = age > changedAt ? `old ${number}` : `new ${number}`;
      return {
        id: `${number}-${source}`,
        attribute: 'city',
        value: random.next() < 0.98 ? truth : `error ${random.below(20)}`,
        source: `s${source}`,
        observedAt: new Date(NOW.getTime() - age * 86_400_000).toISOString(),
        sequence,
        confidence: 0.9,
      };
    });
    return { key: `f${number}`, attribute: 'city', truth: `new ${number}`, claims };
  });
}

describe('Confidences learned without known truth', () => {
  it('are not too low when wrong sources all claim one popular value', () => {
    expect(excess('popular errors')).to.be.within(-0.05, 0.03);
  });

  it('are not too high when feeds are right and all sources share an error', () => {
    expect(excess('measured weather')).to.be.within(-0.03, 0.06);
    expect(excess('forecasts with biases')).to.be.within(-0.03, 0.06);
  });

  it('are not too low when independent sources measure and round', () => {
    expect(excess('numbers, noisy and rounded')).to.be.within(-0.06, 0.03);
  });

  it('stay finite and are not too low where truths changed between the observations', () => {
    const facts = changedFacts();
    const snapshot = learn(facts, {});
    for (const { posterior, confidence } of snapshot.calibration)
      expect(Number.isFinite(posterior) && Number.isFinite(confidence)).to.equal(true);
    const contested = resolveOursWith(snapshot, facts, {}, NOW).flatMap(({ value, confidence }, index) => {
      const fact = facts[index];
      const isContested = new Set(fact?.claims.map((claim) => claim.value)).size > 1;
      return isContested ? [confidence - Number(value === fact?.truth)] : [];
    });
    const sum = contested.reduce((total, each) => total + each, 0);
    expect(sum / contested.length).to.be.within(-0.15, 0.03);
  });

  it('are not too high for two agreeing sources out of three', () => {
    const facts = smallFacts();
    const registry = { '*': { halfLifeDays: Infinity } };
    const answers = resolveOursWith(learn(facts, registry), facts, registry, NOW);
    const twoOfThree = [...facts.entries()].filter(([, { claims }]) => {
      return claims.length === 3 && new Set(claims.map(({ value }) => value)).size === 2;
    });
    expect(twoOfThree).to.have.lengthOf.greaterThan(300);
    const [confidence, right] = [0, 1].map((which) => {
      const sum = twoOfThree.reduce((total, [index, { truth }]) => {
        const answer = answers[index];
        return total + (which === 0 ? (answer?.confidence ?? 1) : Number(answer?.value === truth));
      }, 0);
      return sum / twoOfThree.length;
    });
    expect(right).to.be.within(0.5, 0.7);
    expect(confidence).to.be.within((right ?? 0) - 0.15, (right ?? 0) + 0.15);
  });

  it('use suspected copying even when the independent model predicts best', () => {
    const forecasts = DATASETS['forecasts with biases'] as Dataset;
    const dataset = {
      ...forecasts,
      facts: 1200,
      numbers: { ...forecasts.numbers, bias: 1, shared: 0.2 },
      feeds: [{ sources: 4, accuracy: [0.75], rate: 0.5 }],
    } as Dataset;
    const facts = new DatasetGenerator(dataset, false, 51).facts();
    const registry = { '*': { halfLifeDays: Infinity, type: 'number' as const } };
    const snapshot = learn(facts, registry);
    expect(snapshot.model.dependence).to.equal('independent');
    expect(snapshot.evidence.map(({ dependence }) => dependence)).to.include('pairs');
    const answers = resolveOursWith(snapshot, facts, registry, NOW);
    const score = scoreAnswers(facts, answers, (value, truth) => value === truth);
    expect(score.calibrationError).to.be.lessThan(0.12);
  });

  it('hold in each attribute when one is harder for all sources than the other', () => {
    const facts = hardAndEasyAttributes();
    const registry = { '*': { halfLifeDays: Infinity } };
    const snapshot = learn(facts, registry);
    expect(snapshot.model.byAttribute).to.equal(true);
    const errorIn = (attribute: string): number => {
      const own = facts.filter((fact) => fact.attribute === attribute);
      const answers = resolveOursWith(snapshot, own, registry, NOW);
      return scoreAnswers(own, answers, (value, truth) => value === truth).calibrationError;
    };
    expect(errorIn('easy')).to.be.lessThan(0.03);
    expect(errorIn('hard')).to.be.lessThan(0.08);
  });

  it('stay calibrated when accuracy is by attribute', () => {
    const dataset = { ...(DATASETS['measured weather'] as Dataset), facts: 1500 };
    const facts = new DatasetGenerator(dataset, true, 11).facts();
    const registry = { '*': { halfLifeDays: Infinity, type: 'number' as const } };
    const snapshot = learn(facts, registry);
    expect(snapshot.model.byAttribute).to.equal(true);
    const answers = resolveOursWith(snapshot, facts, registry, NOW);
    const score = scoreAnswers(facts, answers, (value, truth) => value === truth);
    expect(score.calibrationError).to.be.lessThan(0.075);
  });
});
