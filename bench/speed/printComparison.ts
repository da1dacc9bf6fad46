import type { Measured, Sample } from './compareTargets.js';
import type { Group } from './Target.js';

const TITLES: Record<Group, string> = {
  profile: 'GET /v1/profiles/{id}, whole profile by REST',
  claims: 'GET /v1/profiles/{id}/claims, a page of 25',
  customer: 'GET /v1/customers/{id}',
  'graphql-full': 'POST /graphql, whole profile',
  'graphql-part': 'POST /graphql, another selection',
};

/** Tables of ratios to the hand-written server; in brackets the lowest and highest of the rounds. */
export function printComparison(measured: readonly Measured[]): string {
  const raw = (group: Group): Measured | undefined =>
    measured.find(
      ({ target }) => target.server === 'raw' && target.group === (group.startsWith('graphql') ? 'profile' : group),
    );
  const groups = [...new Set(measured.map(({ target }) => target.group))];
  return groups
    .map((group) =>
      table(
        group,
        measured.filter(({ target }) => target.group === group),
        raw(group),
      ),
    )
    .join('\n');
}

function table(group: Group, rows: readonly Measured[], base: Measured | undefined): string {
  const lines = rows.map(({ target, samples }) => {
    const throughput = ratios(
      samples,
      base,
      ({ perSecond }) => perSecond,
      (own, raw) => own / raw,
    );
    const cpu = ratios(
      samples,
      base,
      ({ cpuMsPerRequest }) => cpuMsPerRequest,
      (own, raw) => raw / own,
    );
    const name = target.note === undefined ? target.name : `${target.name} (${target.note})`;
    const cells = [name, Math.round(median(samples.map(({ perSecond }) => perSecond))), throughput, cpu];
    return `| ${[...cells, milliseconds(samples, 'cpuMsPerRequest'), milliseconds(samples, 'p50'), milliseconds(samples, 'p99')].join(' | ')} |`;
  });
  return [
    `### ${TITLES[group]}`,
    '',
    '| | requests/s | ratio to raw | CPU ratio to raw | CPU ms a request | p50 ms | p99 ms |',
    '|---|---|---|---|---|---|---|',
    ...lines,
    '',
  ].join('\n');
}

/** The ratio of each round to raw's in the same round: median and extremes. */
function ratios(
  samples: readonly Sample[],
  base: Measured | undefined,
  pick: (sample: Sample) => number,
  ratio: (own: number, raw: number) => number,
): string {
  const all = samples.map((sample, round) => {
    const raw = base?.samples[round];
    return raw === undefined ? Number.NaN : ratio(pick(sample), pick(raw));
  });
  return `${decimal(median(all))} (${decimal(Math.min(...all))}–${decimal(Math.max(...all))})`;
}

function milliseconds(samples: readonly Sample[], name: keyof Sample): string {
  return median(samples.map((sample) => sample[name])).toFixed(name === 'cpuMsPerRequest' ? 3 : 1);
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

export function decimal(value: number): string {
  return value.toFixed(2).replace(/^0\./, '.');
}
