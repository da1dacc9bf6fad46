import type { Measured } from './compareTargets.js';
import { allCpu } from './measureLoad.js';
import type { Sample } from './measureLoad.js';
import { ratioOf } from './ratioOf.js';

/**
 * What asking for consent costs the read of a profile, of its time and of all processors' (aim: less than a
 * tenth). Both processes serve nothing else: what V8 makes of the code depends on all that a process served.
 */
export function printGateCost(measured: readonly Measured[]): string {
  const samplesOf = (server: string): Sample[] =>
    measured.find(({ contestant }) => contestant.server === server && contestant.group === 'profile')
      ?.samples ?? [];
  const gated = samplesOf('gated');
  const open = samplesOf('ungated');
  if (gated.length === 0 || open.length === 0) return '';
  const time = ratioOf(gated, open, (own, without) => 1 - own.perSecond / without.perSecond);
  const cpu = ratioOf(gated, open, (own, without) => 1 - allCpu(without) / allCpu(own));
  return `The consent gate's share of the profile read (aim: under .10): ${time.text} of its time, ${cpu.text} of the processor time of
the service and PostgreSQL together.\n`;
}
