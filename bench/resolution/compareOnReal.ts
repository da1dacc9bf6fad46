import { join } from 'node:path';
import { canonicalValue } from '../../src/domain/resolution/canonicalValue.js';
import { groupValues } from '../../src/domain/resolution/groupValues.js';
import type { JsonValue } from '../../src/domain/jsonValue.js';
import type { AttributeRule } from '../../src/domain/resolution/types.js';
import { accuCopy } from './accuCopy.js';
import { BASELINES } from './baselines.js';
import type { Answer, BenchFact } from './BenchFact.js';
import { errorByChance } from './errorByChance.js';
import { prepareFact } from './PreparedFact.js';
import { readCrowds } from './readCrowds.js';
import { readTruthDiscovery } from './readTruthDiscovery.js';
import { resolveOurs } from './resolveOurs.js';
import { scoreAnswers } from './scoreAnswers.js';
import type { Score } from './scoreAnswers.js';

const NOW = new Date('2020-01-01T00:00:00Z');
const NAMES: AttributeRule = { type: 'person_names' };

export const REAL_SETS: Readonly<Record<string, AttributeRule>> = {
  population: { type: 'number', halfLifeDays: Infinity },
  books: { ...NAMES, halfLifeDays: Infinity },
  flights: { halfLifeDays: Infinity },
};

type Comparison = (value: string, truth: string) => boolean;
type Comparisons = Readonly<Record<string, Comparison>>;

function canonicalNames(value: string): string {
  const parsed: JsonValue = value.startsWith('[') ? (JSON.parse(value) as JsonValue) : value;
  return canonicalValue(parsed, NAMES);
}

/** The same authors, where one list may abbreviate given names that the other writes out. */
const sameAuthors: Comparison = (value, truth) => {
  const lists = [canonicalNames(value), canonicalNames(truth)];
  return new Set(groupValues(lists, NAMES).values()).size === 1;
};

const sameSpelling: Comparison = (value, truth) => canonicalNames(value) === canonicalNames(truth);

const COMPARISONS: Readonly<Record<string, Comparisons>> = {
  population: { 'exact value': (value, truth) => value === canonicalValue(truth, { type: 'number' }) },
  books: { 'same authors': sameAuthors, 'same spelling': sameSpelling },
  flights: { 'exact value': (value, truth) => value === canonicalValue(truth, {}) },
};

function answersOf(facts: readonly BenchFact[], rule: AttributeRule): Record<string, Answer[]> {
  const prepared = facts.map((fact) => prepareFact(fact, rule));
  const baselines = { ...BASELINES, 'ACCU + copy': accuCopy(Infinity, NOW) };
  const peers = Object.entries(baselines).map(([name, baseline]) => [name, baseline(prepared)] as const);
  return { ...Object.fromEntries(peers), ours: resolveOurs(facts, { '*': rule }, NOW) };
}

export interface RealReport {
  /** On the gold part of the set, per comparison and method. */
  scores: Record<string, Record<string, Score>>;
  /** Calibration error that our confidences would have by chance alone. */
  byChance: number;
}

function reportOn(facts: readonly BenchFact[], rule: AttributeRule, comparisons: Comparisons): RealReport {
  const byMethod = answersOf(facts, rule);
  const answers = Object.entries(byMethod);
  const compared = Object.entries(comparisons).map(([comparison, isRight]) => {
    const scores = answers.map(([method, given]) => [method, scoreAnswers(facts, given, isRight)] as const);
    return [comparison, Object.fromEntries(scores)] as const;
  });
  return { scores: Object.fromEntries(compared), byChance: errorByChance(facts, byMethod['ours'] ?? []) };
}

/** `null` where the set is not there. */
export function compareOnReal(directory: string, set: string): RealReport | null {
  const facts = readTruthDiscovery(join(directory, set));
  return facts === null ? null : reportOn(facts, REAL_SETS[set] ?? {}, COMPARISONS[set] ?? {});
}

/** By the names of the sets in the folder; none where it is not there. */
export function compareOnCrowds(directory: string): Map<string, RealReport> {
  const comparisons: Comparisons = { 'exact value': (value, truth) => value === truth };
  const sets = [...readCrowds(directory)];
  return new Map(sets.map(([set, facts]) => [set, reportOn(facts, { halfLifeDays: Infinity }, comparisons)]));
}
