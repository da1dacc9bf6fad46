import { median } from './median.js';
import type { Sample } from './measureLoad.js';
import type { Played } from './playRounds.js';
import { printTable } from './printTable.js';
import { ratioOf } from './ratioOf.js';

export interface Named {
  name: string;
  /** Bytes of an answer. */
  bytes: number;
}

/** What a read costs with each population, beside what it costs with the base. */
export function printGrowth(played: readonly Played<Named>[], base: Named): string {
  const beside = played.find(({ contestant }) => contestant === base)?.samples ?? [];
  const rows = played.map(({ contestant, samples }) => {
    const middle = (name: keyof Sample): number => median(samples.map((sample) => sample[name]));
    return [
      contestant.name,
      (contestant.bytes / 1000).toFixed(1),
      Math.round(middle('perSecond')),
      ratioOf(samples, beside, (own, other) => other.perSecond / own.perSecond).text,
      middle('cpuMsPerRequest').toFixed(3),
      middle('databaseMsPerRequest').toFixed(3),
      middle('p50').toFixed(1),
      middle('p99').toFixed(1),
    ];
  });
  const header = [
    '',
    'answer, KB',
    'requests/s',
    `cost beside ${base.name}`,
    'CPU ms a request',
    "PostgreSQL's",
    'p50 ms',
    'p99 ms',
  ];
  return printTable(header, rows);
}
