import fc from 'fast-check';
import type { AccuracySnapshot, ResolutionClaim } from '../../../src/domain/resolution/types.js';
import { initialAccuracies } from '../../../src/domain/resolution/initialAccuracies.js';

export const NOW = new Date('2026-01-01T00:00:00.000Z');

const SOURCES = ['crm', 'shop', 'survey', 'broker', 'app', '__proto__'];
const FIRST_DAY = Date.parse('2020-01-01T00:00:00.000Z');
const DAYS = 2191;

/** A claim without its id and its place in the series. */
const anyClaim = fc.record({
  attribute: fc.constant('city'),
  value: fc.constantFrom('Paris', ' paris ', 'LYON', 'Lyon', 'Nantes', 12, true, { city: 'Paris' }),
  source: fc.constantFrom(...SOURCES),
  observedAt: fc
    .integer({ min: 0, max: DAYS })
    .map((day) => new Date(FIRST_DAY + day * 86_400_000).toISOString()),
  confidence: fc.double({ min: 0, max: 1, noNaN: true }),
});

/** The claims of one fact, numbered. */
export const claimsOfFact = fc
  .array(anyClaim, { minLength: 1, maxLength: 12 })
  .map((claims) =>
    claims.map((claim, index): ResolutionClaim => ({ ...claim, id: `clm_${index}`, sequence: index + 1 })),
  );

/** Learned accuracies of the sources above, some of which copy. */
export const anyAccuracies: fc.Arbitrary<AccuracySnapshot> = fc
  .record({
    intercepts: fc.array(fc.double({ min: -3, max: 5, noNaN: true }), { minLength: 6, maxLength: 6 }),
    slope: fc.double({ min: 0, max: 2, noNaN: true }),
    falseAgreement: fc.double({ min: 0.001, max: 1, noNaN: true }),
    copying: fc.double({ min: 0, max: 1, noNaN: true }),
    hardShare: fc.constantFrom(0, 0.3, 1),
    trust: fc.constantFrom(0, 0.5, 0.9, 1),
    offset: fc.double({ min: -1, max: 1, noNaN: true }),
  })
  .map(({ intercepts, slope, falseAgreement, copying, hardShare, trust, offset }) => ({
    ...initialAccuracies(),
    version: 1,
    falseAgreement,
    hardShare,
    calibration: [0.3, 0.6, 0.9, 0.99].map((posterior) => ({ posterior, confidence: trust * posterior })),
    offsets: [{ source: 'crm', attribute: 'city', offset }],
    sources: SOURCES.map((source, index) => {
      const intercept = intercepts[index] ?? 0;
      return { source, intercept, slope, accuracy: 1 / (1 + Math.exp(-intercept)), claims: 10 };
    }),
    copies: [
      { first: 'broker', second: 'crm', probability: copying, rate: 0.8 },
      { first: 'crm', second: 'shop', probability: copying, rate: 0.9 },
    ],
  }));

export const anyRule = fc.record(
  {
    halfLifeDays: fc.constantFrom(1, 30, 730, Infinity),
    method: fc.constantFrom('vote' as const, 'most_recent' as const, 'union' as const),
  },
  { requiredKeys: [] },
);
