import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { BenchFact } from './BenchFact.js';
import { collectFacts, rowsOf } from './collectFacts.js';

const LABELS = 'label.csv';
const TRUTHS = 'truth.csv';

/** Labels as text: they name classes and measure nothing. */
function classOf(label: string): string {
  return `class ${label}`;
}

function readCrowd(directory: string): BenchFact[] {
  const rows = (file: string): string[][] => rowsOf(readFileSync(join(directory, file), 'utf8'), ',');
  return collectFacts(
    rows(LABELS).map(([item = '', worker = '', label = '']) => {
      const source = `worker_${worker}`;
      return { key: item, attribute: 'label', value: classOf(label), source, observedAt: '' };
    }),
    new Map(rows(TRUTHS).map(([item = '', truth = '']) => [item, classOf(truth)])),
  );
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
