import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { BenchFact } from './BenchFact.js';

/** Workers state neither time nor confidence. */
const UNKNOWN_TIME = '2020-01-01T00:00:00.000Z';
const UNKNOWN_CONFIDENCE = 0.9;

const LABELS = 'label.csv';
const TRUTHS = 'truth.csv';

/** Rows of numbers and short names, without quotes. */
function rows(path: string): string[][] {
  const lines = readFileSync(path, 'utf8').split(/\r?\n/u).slice(1);
  return lines.filter((line) => line !== '').map((line) => line.split(','));
}

/** Labels as text: they name classes and measure nothing. */
function classOf(label: string): string {
  return `class ${label}`;
}

function readCrowd(directory: string): BenchFact[] {
  const truths = new Map(rows(join(directory, TRUTHS)).map(([item = '', truth = '']) => [item, truth]));
  const facts = new Map<string, BenchFact>();
  for (const [index, [item = '', worker = '', label = '']] of rows(join(directory, LABELS)).entries()) {
    const truth = truths.get(item);
    const fact = facts.get(item) ?? {
      key: item,
      attribute: 'label',
      claims: [],
      truth: truth === undefined ? null : classOf(truth),
    };
    fact.claims.push({
      id: `clm_${index}`,
      attribute: 'label',
      value: classOf(label),
      source: `worker_${worker}`,
      observedAt: UNKNOWN_TIME,
      sequence: index,
      confidence: UNKNOWN_CONFIDENCE,
    });
    facts.set(item, fact);
  }
  return [...facts.values()];
}

/** Sets of labels by crowds (`label.csv`, `truth.csv`) in a folder and those below it, by their folders. */
export function readCrowds(directory: string): Map<string, BenchFact[]> {
  if (!existsSync(directory)) return new Map();
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' }).toSorted();
  const folders = files
    .filter((file) => file.endsWith(LABELS) && existsSync(join(directory, dirname(file), TRUTHS)))
    .map((file) => join(directory, dirname(file)));
  return new Map(folders.map((folder) => [relative(directory, folder), readCrowd(folder)]));
}
