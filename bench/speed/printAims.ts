import type { Measured } from './compareTargets.js';
import { printTable } from './printTable.js';
import { rawOf } from './rawOf.js';
import { ratioOf } from './ratioOf.js';
import type { Group } from './Target.js';

/** By read and server: how many times as fast the service is to be. */
const AIMS: readonly (readonly [group: Group, server: string, least: number])[] = [
  ['profile', 'raw', 0.85],
  ['profile', 'express', 2.7],
  ['profile', 'express-tuned', 1.25],
  ['profile', 'sofa', 5],
  ['profile', 'typeorm', 9],
  ['claims', 'raw', 0.5],
  ['claims', 'express', 1.5],
  ['customer', 'raw', 0.5],
  ['customer', 'express', 1.5],
  ['graphql-full', 'raw', 0.8],
  ['graphql-full', 'mercurius', 1.6],
  ['graphql-full', 'yoga', 5],
  ['graphql-full', 'postgraphile', 8],
  ['graphql-part', 'raw', 0.5],
  ['graphql-part', 'mercurius', 0.9],
  ['graphql-part', 'yoga', 3.5],
  ['graphql-part', 'postgraphile', 4.5],
];

/**
 * What the service was to reach, and what it reached in requests per second and in processor time of the
 * servers.
 */
export function printAims(measured: readonly Measured[]): string {
  const rows = AIMS.flatMap(([group, server, least]) => {
    const ours = find(measured, group, 'ours');
    const other = server === 'raw' ? rawOf(measured, group) : find(measured, group, server);
    if (ours === undefined || other === undefined) return [];
    const speed = ratioOf(ours.samples, other.samples, (own, base) => own.perSecond / base.perSecond);
    const cpu = ratioOf(
      ours.samples,
      other.samples,
      (own, base) => base.cpuMsPerRequest / own.cpuMsPerRequest,
    );
    const beside = other.contestant.name;
    return [[group, beside, `≥ ${least}`, speed.text, cpu.text, speed.median >= least ? 'met' : 'missed']];
  });
  return printTable(['read', 'beside', 'aim', 'requests/s', 'CPU time', ''], rows);
}

function find(measured: readonly Measured[], group: Group, server: string): Measured | undefined {
  return measured.find(
    ({ contestant }) =>
      contestant.group === group && contestant.server === server && contestant.note === undefined,
  );
}
