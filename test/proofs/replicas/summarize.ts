import type { ProofResult } from './ReplicaProof.js';

/** Where the profiles came from, as the gateways counted it. */
export interface Sources {
  answered: number;
  behind: number;
  unanswered: number;
}

/** A proof in one line. */
export function summarize(result: ProofResult, sources: Sources): string {
  const { seconds, single, denied, batched, batches, live, stale, revokes, faults, control, controlStale } =
    result;
  const kinds = Object.entries(faults).map(([kind, count]) => `${count} ${kind}`);
  const ofAll = Object.values(faults).reduce((sum, count) => sum + count, 0);
  return [
    `${seconds} s: ${single + batched} reads (${single} single, ${denied} of them denied; ${batched} in ${batches} batches; ${live} showed a fact), ${stale} stale`,
    `${revokes} revokes`,
    `${ofAll} faults (${kinds.join(', ')})`,
    `${sources.answered} profiles from replicas, ${sources.behind + sources.unanswered} from the primary (${sources.behind} behind, ${sources.unanswered} unanswered)`,
    `control ${controlStale} stale of ${control}`,
  ].join('; ');
}
