import { expect } from 'chai';
import { DEFAULT_INTENT_RULES } from '../../../src/domain/intents/IntentRules.js';
import { parseIntentRules } from '../../../src/domain/intents/parseIntentRules.js';

const problemsOf = (given: unknown): string[] => {
  try {
    parseIntentRules(given);
    return [];
  } catch (error) {
    return (error as Error).message.split('\n').slice(1);
  }
};

describe('parseIntentRules', () => {
  it('lays what is given over the built-in rules, and reads a half-life of null as infinite', () => {
    expect(parseIntentRules({})).to.deep.equal(DEFAULT_INTENT_RULES);
    const rules = parseIntentRules({
      types: { rented: 'outcome' },
      halfLifeDays: { habit: null, sentiment: 0.5 },
      habit: { days: 4 },
    });
    expect(rules.types).to.deep.equal({ ...DEFAULT_INTENT_RULES.types, rented: 'outcome' });
    expect(rules.halfLifeDays).to.deep.equal({
      ...DEFAULT_INTENT_RULES.halfLifeDays,
      habit: Infinity,
      sentiment: 0.5,
    });
    expect(rules.habit).to.deep.equal({ days: 4, within: DEFAULT_INTENT_RULES.habit.within });
  });

  it('names every problem by its member', () => {
    const category = 'must be one of outcome, sentiment, affiliate, habit, activation.';
    const halfLife = 'must be a number of days above 0, or null when the intent never fades.';
    const days = 'must be a whole number of days from 1 to 36500.';
    const wrong = {
      type: { rented: 'outcome' },
      types: { rented: 'result', leased: null, toString: 'outcome' },
      halfLifeDays: { habit: -60, outcome: 0, sentiment: '60 days', habits: 60, constructor: 1 },
      habit: { days: 'four', within: 2.5, day: 4 },
    };
    expect(problemsOf(wrong)).to.deep.equal([
      '  - type is not known.',
      `  - types.rented ${category}`,
      `  - types.leased ${category}`,
      `  - halfLifeDays.habit ${halfLife}`,
      `  - halfLifeDays.outcome ${halfLife}`,
      `  - halfLifeDays.sentiment ${halfLife}`,
      '  - halfLifeDays.habits is not known.',
      '  - halfLifeDays.constructor is not known.',
      `  - habit.days ${days}`,
      `  - habit.within ${days}`,
      '  - habit.day is not known.',
    ]);
    expect(problemsOf({ types: [], halfLifeDays: null, habit: 3 })).to.deep.equal([
      '  - types must be an object.',
      '  - halfLifeDays must be an object.',
      '  - habit must be an object.',
    ]);
    for (const days of [0, 36_501, null])
      expect(problemsOf({ habit: { days } }), `${days}`).to.have.length(1);
    expect(() => parseIntentRules([])).to.throw('JSON object');
  });
});
