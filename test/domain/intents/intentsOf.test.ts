import { expect } from 'chai';
import fc from 'fast-check';
import { categoryOf, DEFAULT_INTENT_RULES } from '../../../src/domain/intents/IntentRules.js';
import { agedConfidence, intentsOf } from '../../../src/domain/intents/intentsOf.js';
import type { IntentEvent } from '../../../src/domain/intents/intentsOf.js';

const NOW = new Date('2026-03-01T00:00:00.000Z');
const RULES = DEFAULT_INTENT_RULES;

let serial = 0;
function event(day: string, fields: Partial<IntentEvent> = {}): IntentEvent {
  const sequence = (serial += 1);
  const base = { id: `evt_${sequence}`, sequence, eventType: 'visited', category: null, overridden: false };
  return { ...base, source: 's', confidence: 1, occurredMs: Date.parse(`${day}T12:00:00.000Z`), ...fields };
}

const habits = (...days: string[]): string[] =>
  intentsOf(
    days.map((day) => event(day)),
    RULES,
    NOW,
  ).flatMap(({ category, events }) =>
    category === 'habit'
      ? events.map(({ occurredMs }) => new Date(occurredMs).toISOString().slice(0, 10))
      : [],
  );

describe('intentsOf', () => {
  it('takes the category of the table, which the event itself overrides', () => {
    expect(categoryOf(RULES, 'purchased', undefined)).to.equal('outcome');
    expect(categoryOf(RULES, 'purchased', 'sentiment')).to.equal('sentiment');
    expect(categoryOf(RULES, 'viewed', undefined)).to.equal(null);
    expect(categoryOf(RULES, 'constructor', undefined)).to.equal(null);
  });

  it('finds a habit on three distinct days within thirty', () => {
    expect(habits('2026-01-01', '2026-01-15')).to.deep.equal([]);
    expect(habits('2026-01-01', '2026-01-01', '2026-01-15')).to.deep.equal([]);
    expect(habits('2026-01-01', '2026-01-15', '2026-01-30')).to.have.length(3);
    expect(habits('2026-01-01', '2026-01-15', '2026-01-31')).to.deep.equal([]);
    expect(habits('2025-06-01', '2026-01-01', '2026-01-02', '2026-01-03')).to.deep.equal([
      '2026-01-03',
      '2026-01-02',
      '2026-01-01',
    ]);
  });

  it('counts for a habit neither other event types nor events that name their category', () => {
    const days = ['2026-01-01', '2026-01-02', '2026-01-03'];
    const mixed = days.map((day, index) => event(day, { eventType: index === 0 ? 'viewed' : 'visited' }));
    expect(intentsOf(mixed, RULES, NOW)).to.deep.equal([]);
    const named = days.map((day) => event(day, { category: 'affiliate', overridden: true }));
    expect(intentsOf(named, RULES, NOW).map(({ category }) => category)).to.deep.equal(['affiliate']);
  });

  it('gains confidence with more sources and loses it with age', () => {
    const own = { eventType: 'purchased', category: 'outcome' as const, confidence: 0.9 };
    const confidence = (...events: IntentEvent[]): number =>
      intentsOf(events, RULES, NOW)[0]?.confidence ?? -1;
    const one = confidence(event('2026-02-01', own));
    expect(
      confidence(event('2026-02-01', own), event('2026-02-01', { ...own, source: 't' })),
    ).to.be.greaterThan(one);
    expect(confidence(event('2024-02-01', own))).to.be.lessThan(one);
  });

  it('ages between its events as if it were resolved anew', () => {
    const day = fc.integer({ min: 1, max: 28 }).map((date) => `2026-02-${String(date).padStart(2, '0')}`);
    const given = fc.record({
      day,
      source: fc.constantFrom('a', 'b', 'c'),
      confidence: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(given, { minLength: 1, maxLength: 6 }), fc.nat(2000), (claims, days) => {
        const events = claims.map(({ day: of, ...said }) =>
          event(of, { ...said, eventType: 'rated', category: 'sentiment' }),
        );
        const [stored] = intentsOf(events, RULES, NOW);
        const later = new Date(NOW.getTime() + days * 86_400_000);
        const [resolved] = intentsOf(events, RULES, later);
        const aged = agedConfidence(stored?.confidence ?? 0, RULES.halfLifeDays.sentiment, NOW, later);
        expect(aged).to.be.closeTo(resolved?.confidence ?? 0, 1e-5);
      }),
    );
  });

  it('is a function of the set of events, with probabilities', () => {
    const events = fc.array(
      fc.record({
        day: fc.integer({ min: 1, max: 28 }),
        eventType: fc.constantFrom('visited', 'purchased', 'liked'),
        source: fc.constantFrom('a', 'b'),
        confidence: fc.double({ min: 0, max: 1, noNaN: true }),
      }),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(events, fc.integer(), (drawn, seed) => {
        const made = drawn.map(({ day, ...own }) =>
          event(`2026-02-${String(day).padStart(2, '0')}`, {
            ...own,
            category: categoryOf(RULES, own.eventType, undefined),
          }),
        );
        const shuffled = made.toSorted(
          (a, b) => ((a.sequence * 7919 + seed) % 101) - ((b.sequence * 7919 + seed) % 101),
        );
        const intents = intentsOf(made, RULES, NOW);
        expect(intentsOf(shuffled, RULES, NOW)).to.deep.equal(intents);
        for (const { confidence, events: own } of intents) {
          expect(confidence).to.be.within(0, 1);
          expect(own.length).to.be.greaterThan(0);
        }
      }),
      { numRuns: 100 },
    );
  });
});
