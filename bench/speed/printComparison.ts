import type { Measured } from './compareTargets.js';
import { median } from './median.js';
import type { Sample } from './measureLoad.js';
import { printTable } from './printTable.js';
import { rawOf } from './rawOf.js';
import { ratioOf } from './ratioOf.js';
import type { Group } from './Target.js';

const HEADER = [
  '',
  'requests/s',
  'ratio to raw',
  'CPU ratio to raw',
  'CPU ms a request',
  "PostgreSQL's",
  'p50 ms',
  'p99 ms',
];

const GROUPS: Record<Group, string> = {
  profile: 'GET /v1/profiles/{id}, whole profile by REST',
  claims: 'GET /v1/profiles/{id}/claims, a page of 25',
  customer: 'GET /v1/customers/{id}',
  'graphql-full': 'POST /graphql, whole profile',
  'graphql-part': 'POST /graphql, another selection',
};

/** A table for each read, with ratios to the hand-written server. */
export function printComparison(measured: readonly Measured[]): string {
  const groups = [...new Set(measured.map(({ contestant }) => contestant.group))];
  const tables = groups.map((group) => {
    const base = rawOf(measured, group)?.samples ?? [];
    const rows = measured
      .filter(({ contestant }) => contestant.group === group)
      .map((row) => printRow(row, base));
    return `### ${GROUPS[group]}\n\n${printTable(HEADER, rows)}`;
  });
  return tables.join('\n');
}

function printRow({ contestant, samples }: Measured, base: readonly Sample[]): (string | number)[] {
  const middle = (name: keyof Sample): number => median(samples.map((sample) => sample[name]));
  return [
    contestant.note === undefined ? contestant.name : `${contestant.name} (${contestant.note})`,
    Math.round(middle('perSecond')),
    ratioOf(samples, base, (own, raw) => own.perSecond / raw.perSecond).text,
    ratioOf(samples, base, (own, raw) => raw.cpuMsPerRequest / own.cpuMsPerRequest).text,
    middle('cpuMsPerRequest').toFixed(3),
    middle('databaseMsPerRequest').toFixed(3),
    middle('p50').toFixed(1),
    middle('p99').toFixed(1),
  ];
}
