import { expect } from 'chai';
import { learn } from '../../../bench/resolution/resolveOurs.js';
import { Random } from '../../../bench/resolution/Random.js';
import { PLACE_OF } from '../../../src/domain/purposes.js';
import { attributeRule } from '../../../src/domain/resolution/attributeRule.js';
import type { AttributeRegistry } from '../../../src/domain/resolution/attributeRule.js';
import { resolveFact } from '../../../src/domain/resolution/resolveFact.js';
import type { AccuracySnapshot, ResolutionClaim } from '../../../src/domain/resolution/types.js';
import { registerLearningMetrics } from '../../../src/jobs/learning/learningMetrics.js';
import { LearningFixture } from '../../support/LearningFixture.js';
import type { Saying } from '../../support/LearningFixture.js';

const PERSONALIZATION = PLACE_OF['personalization'];

const REGISTRY: AttributeRegistry = {
  weight: { type: 'number', tolerance: 0.5, halfLifeDays: Infinity },
  city: {},
  plan: { halfLifeDays: 90 },
};

const DAY_MS = 86_400_000;

/**
 * Sources 4 to 7 republish a feed; some claims come twice, in one moment or days apart, and again after an
 * earlier one; one attribute is seldom right.
 */
function sayingsOf(customer: number): Saying[] {
  const random = new Random(customer + 1);
  return Object.keys(REGISTRY).flatMap((attribute) => {
    const truth = random.below(8);
    const say = (accuracy: number): number => (random.next() < accuracy ? truth : random.below(8));
    const fed = say(0.6);
    return Array.from({ length: 8 }, (_, source) => source)
      .filter(() => random.next() < 0.8)
      .flatMap((source) => {
        const value = source > 3 && random.next() < 0.9 ? fed : say(attribute === 'plan' ? 0.4 : 0.8);
        const at =
          Date.parse('2025-06-01T00:00:00.000Z') + random.below(150) * DAY_MS + random.below(3) * 60_000;
        const claim = {
          attribute,
          source: `source-${source}`,
          value: attribute === 'weight' ? value + random.below(4) / 10 : `value ${value}`,
          confidence: 0.6 + random.below(40) / 100,
          observedAt: new Date(at).toISOString(),
        };
        const again = { ...claim, value: attribute === 'weight' ? value + 3 : `value ${random.below(8)}` };
        if (random.next() < 0.1) return [again, claim];
        const before = {
          ...again,
          observedAt: new Date(at - (1 + random.below(200)) * DAY_MS).toISOString(),
        };
        return random.next() < 0.3 ? [claim, before, { ...before, value: claim.value }, claim] : [claim];
      });
  });
}

interface StoredClaim {
  customer_id: string;
  claim_id: string;
  attribute: string;
  value: ResolutionClaim['value'];
  source: string;
  observed_at: string;
  sequence: number;
  confidence: number;
}

describe('Resolution in the service and in the bench', () => {
  let fixture: LearningFixture;

  beforeEach(async () => {
    fixture = await LearningFixture.open(REGISTRY);
  });
  afterEach(() => fixture.close());

  /** All claims as the bench would be given them. */
  async function benchFacts(): Promise<
    { key: string; attribute: string; claims: ResolutionClaim[]; truth: null }[]
  > {
    const rows = await fixture.rows<StoredClaim>(
      'SELECT * FROM claims WHERE app_id = $1 ORDER BY claim_id DESC',
    );
    const facts = new Map<string, ResolutionClaim[]>();
    for (const { customer_id: customer, claim_id: id, observed_at: observedAt, ...row } of rows) {
      const key = `${customer}/${row.attribute}`;
      const { attribute, value, source, sequence, confidence } = row;
      const claim = { id, attribute, value, source, sequence, confidence, observedAt };
      facts.set(key, [...(facts.get(key) ?? []), claim]);
    }
    return [...facts].map(([key, claims]) => ({
      key,
      attribute: claims[0]?.attribute ?? '',
      claims,
      truth: null,
    }));
  }

  it('gives equal results for equal claims that arrive in different batches', async () => {
    const customers = [];
    for (let number = 0; number < 60; number += 1) {
      const { id } = await fixture.addCustomer('personalization');
      customers.push(id);
      const sayings = sayingsOf(number);
      // In two batches, the second after a learning for some.
      await fixture.say(id, 'personalization', sayings.slice(0, 10));
      if (number === 20) await fixture.learn();
      await fixture.say(id, 'personalization', sayings.slice(10));
    }
    await fixture.learn();
    const { version: _, ...learned } = (await fixture.snapshot(PERSONALIZATION)) as AccuracySnapshot;
    const facts = await benchFacts();
    const { version: __, ...expected } = learn(facts, REGISTRY);
    expect(learned).to.deep.equal(expected);
    expect(learned.model.dependence).not.to.equal('independent');
    const city = learned.attributes.find(({ attribute }) => attribute === 'city');
    expect(city).to.have.property('halfLifeDays');
    const rows = await fixture.rows<{
      customer_id: string;
      attribute: string;
      document: string;
      explanation: string;
      resolved_at: string;
    }>('SELECT * FROM facts WHERE app_id = $1');
    expect(rows).to.have.length(facts.length);
    const [row] = await fixture.rows<{ version: number }>(
      'SELECT version FROM source_accuracies WHERE app_id = $1',
    );
    const snapshot = { ...expected, version: row?.version ?? 0 };
    for (const { customer_id: customer, attribute, document, explanation, resolved_at: resolvedAt } of rows) {
      const fact = facts.find(({ key }) => key === `${customer}/${attribute}`);
      const rule = attributeRule(REGISTRY, attribute);
      const {
        resolvedValue,
        confidence,
        explanation: told,
      } = resolveFact(fact?.claims ?? [], snapshot, rule, new Date(resolvedAt));
      expect(JSON.parse(document)).to.deep.include({ resolvedValue, confidence });
      expect(JSON.parse(explanation)).to.deep.equal(told);
    }
  });

  it('reports in metrics whether facts are out of date and which models were chosen', async () => {
    const { metrics } = fixture.services;
    registerLearningMetrics(metrics, fixture.services);
    const value = async (name: string): Promise<number> => {
      const line = (await metrics.metrics()).split('\n').find((text) => text.startsWith(name));
      return Number(line?.split(' ').at(-1) ?? Number.NaN);
    };
    const { id } = await fixture.addCustomer('personalization');
    await fixture.say(id, 'personalization', sayingsOf(1));
    await fixture.work();
    expect(await value('resolution_unsettled ')).to.equal(1);
    await fixture.learn();
    expect(await value('resolution_unsettled ')).to.equal(0);
    expect(await value('resolution_model_gain_count{')).to.be.at.least(1);
  });
});
